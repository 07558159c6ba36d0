#include "PalliumSQLite.h"
