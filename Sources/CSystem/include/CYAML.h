// The part of libyaml's parser interface that the module OpenAPI uses.
//
// The library is loaded at run time, and its headers need not be installed. The layout of each structure and the value
// of each constant is that of `yaml.h` in libyaml 0.2, which has not changed from 0.2.1 to 0.2.5. Callers check the
// version that `get_version` returns before they use anything else.

#pragma once
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// A position in the text (`yaml_mark_t`): characters, lines and columns before it, all from 0.
typedef struct CYAMLMark {
    size_t index;
    size_t line;
    size_t column;
} CYAMLMark;

/// A parser (`yaml_parser_t`): its first members, which describe an error, and room for all others.
///
/// The structure has 480 bytes in libyaml 0.2.5 on 64-bit systems. The room is generous, because a later release may
/// append members, and `yaml_parser_initialize` clears the whole structure.
typedef struct CYAMLParser {
    int32_t error;
    const char *_Nullable problem;
    size_t problem_offset;
    int32_t problem_value;
    CYAMLMark problem_mark;
    const char *_Nullable context;
    CYAMLMark context_mark;
    void *_Nullable others[500];
} CYAMLParser;

/// The members of a scalar's event (`data.scalar` of `yaml_event_t`).
typedef struct CYAMLScalar {
    const char *_Nullable anchor;
    const char *_Nullable tag;
    const uint8_t *_Nullable value;
    size_t length;
    int32_t plain_implicit;
    int32_t quoted_implicit;
    int32_t style;
} CYAMLScalar;

/// The members of the event that starts a sequence or mapping (`data.sequence_start` and `data.mapping_start`).
typedef struct CYAMLCollection {
    const char *_Nullable anchor;
    const char *_Nullable tag;
    int32_t implicit;
    int32_t style;
} CYAMLCollection;

/// The members of an alias's event (`data.alias`).
typedef struct CYAMLAlias {
    const char *_Nullable anchor;
} CYAMLAlias;

/// An event (`yaml_event_t`). The scalar is the largest member of the union in libyaml, too.
typedef struct CYAMLEvent {
    int32_t type;
    union {
        CYAMLScalar scalar;
        CYAMLCollection collection;
        CYAMLAlias alias;
    } data;
    CYAMLMark start_mark;
    CYAMLMark end_mark;
} CYAMLEvent;

typedef struct CYAMLFunctions {
    void (*get_version)(int32_t *major, int32_t *minor, int32_t *patch);
    int32_t (*parser_initialize)(CYAMLParser *);
    void (*parser_delete)(CYAMLParser *);
    void (*parser_set_input_string)(CYAMLParser *, const uint8_t *_Nullable input, size_t size);
    int32_t (*parser_parse)(CYAMLParser *, CYAMLEvent *);
    void (*event_delete)(CYAMLEvent *);
} CYAMLFunctions;

/// Fills `functions` from the library that the loader finds under `name`.
///
/// Returns NULL, or the name of a function that the library lacks, or an empty text if there is no such library. The
/// texts are constants.
const char *_Nullable cyaml_load(const char *name, CYAMLFunctions *functions);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

// yaml_error_type_t
#define CYAML_MEMORY_ERROR 1
#define CYAML_READER_ERROR 2
#define CYAML_SCANNER_ERROR 3

// yaml_event_type_t
#define CYAML_STREAM_START_EVENT 1
#define CYAML_STREAM_END_EVENT 2
#define CYAML_DOCUMENT_START_EVENT 3
#define CYAML_DOCUMENT_END_EVENT 4
#define CYAML_ALIAS_EVENT 5
#define CYAML_SCALAR_EVENT 6
#define CYAML_SEQUENCE_START_EVENT 7
#define CYAML_SEQUENCE_END_EVENT 8
#define CYAML_MAPPING_START_EVENT 9
#define CYAML_MAPPING_END_EVENT 10

// yaml_scalar_style_t
#define CYAML_PLAIN_SCALAR_STYLE 1

// yaml_sequence_style_t and yaml_mapping_style_t
#define CYAML_FLOW_SEQUENCE_STYLE 2
#define CYAML_FLOW_MAPPING_STYLE 2
