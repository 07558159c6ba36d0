print("pallium")
