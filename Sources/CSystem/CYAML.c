#include "CYAML.h"
#include "CLibrary.h"

const char *cyaml_load(const char *name, CYAMLFunctions *functions) {
    static const CLibraryFunction wanted[] = {
#define FUNCTION(member) {"yaml_" #member, offsetof(CYAMLFunctions, member)}
        FUNCTION(get_version),  FUNCTION(parser_initialize), FUNCTION(parser_delete), FUNCTION(parser_set_input_string),
        FUNCTION(parser_parse), FUNCTION(event_delete),
#undef FUNCTION
    };
    return clibrary_load(name, wanted, sizeof wanted / sizeof wanted[0], functions);
}
