/// The text of `--help`.
enum Help {
    static let text = """
        usage: ReliabilityCheck MODE [FILE | FOLDER | NUMBER] [OPTION…]

        Every mode prints its first failures and ends with "N passed, N failed". The exit status is 0 when nothing
        failed, 1 when something did, 2 when the command is wrong or a file cannot be read. Build it with -c release.

        Cases from a file: JSON lines, one object a line; other members are ignored.

          documents FILE   {"hex": bytes, "valid": Boolean, "canonical": JSON text or value, optional}
                           whole documents; what is valid must equal "canonical" as a value and come back after writing
          mutated FILE     the same
          numbers FILE     {"t": number text, "b": the 16 hexadecimal digits of the nearest Double's bits}
                           infinity stands for a number that a double property must refuse
                           --random N: N random doubles are printed and read back; --seed S
          printing FILE    {"b": 16 hexadecimal digits, "digits": the shortest significant digits as text, or how many}
          integers FILE    {"t": number text, "exactInteger": Boolean or the integer as text, "fitsInt64": Boolean,
                            "fitsUInt64": Boolean, optional}
          utf8 FILE        {"hex": bytes of a string's content, "valid": Boolean}, each at 64 alignments
                           --exhaustive N: all byte strings of up to N bytes (at most 3) against a slow reference
          escapes FILE     {"t": JSON text of a string, or "hex" of its bytes, "valid": Boolean,
                            "utf8": hex of its content, optional}
          dates FILE       {"input": text, "valid": Boolean, "epochSeconds": number, optional}
                           --generated: every day of the years 0001 to 9999, and changes field by field, against a
                           slow reference; --seed S
          hostile FILE     {"parts": [[hex, repetitions]…], "expect": "valid", "invalid" or "any", "maxMillis": number}
                           without FILE the families of the program; --scaling: time(4n) at most 4.8 times time(n),
                           or else as many instructions, which valgrind counts; --rss: the memory each takes, at
                           most 8 times the input and 64 MB

          patches FILE     {"target": value, "patch": JSON Merge Patch, "result": value}, or as json-patch-tests has them
                           {"doc": value, "patch": JSON Patch, "expected": value or "error": text}; the way back and the
                           laws of merging are checked, too
                           without FILE 20,000 generated documents, and how the cost of many operations, and of many
                           mentions of one model in a document, grows; --seed S

        Generated inputs:

          suite FOLDER     JSONTestSuite's test_parsing: y_ accepted, n_ refused; --all-paths: also as a model's
                           property, as a member that is skipped, and in chunks of one byte
          depth            10,000,000 brackets refused, depth 512 read and written; --stack KILOBYTES (64)
          chain NUMBER     everything that walks over models, on a chain of so many; --stack KILOBYTES (512)
          archives         20 archives of generated graphs come back; every flipped bit and every truncation is an error;
                           --forged: flipped bits with checksums that fit do no harm; --seed S
          kills NUMBER     so many saves killed at random moments leave the old or the new archive
          stores NUMBER    so many times programs that write or upgrade a store are killed; whole transactions are left,
                           none is lost
          flips NUMBER     so many flipped bits in the file of a store give the right answer or an error; --seed S
          rows NUMBER      a loop over so many rows of a store takes at most 32 MB
          evolutions N     N models of generated schemas, written by one program as archive, document and row, and read by
                           a later one through random steps: the three and a slow reference agree; --seed S
          registries [N]   N registries (10000) are made, used in every way and dropped; the memory stays what it was
          schemas [NAME]   the time for schemas grows as their number, in every shape whose name contains NAME: to register,
                           check and compare them, and to make adapters, classes and contracts; --times: prints them
                           hostile and schemas: --work N, --size F and --runs R do the N-th work with F times its
                           input R times, to count its instructions
          differential N   N generated documents (20000) for generated schemas: bytes, trees, dictionaries, streams,
                           reports, coders, archives and frozen views agree with one another and with a slow reference;
                           --seed S; --from N and --only N choose cases, --names prints each before it runs
          traps            mistakes of a program end it with their message, in this build
        """
}
