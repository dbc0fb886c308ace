#include "CCurl.h"
#include "CLibrary.h"

const char *ccurl_load(const char *name, CCurlFunctions *functions) {
    static const CLibraryFunction wanted[] = {
#define FUNCTION(member) {"curl_" #member, offsetof(CCurlFunctions, member)}
        FUNCTION(global_init),    FUNCTION(easy_init),
        FUNCTION(easy_cleanup),   FUNCTION(easy_setopt),      FUNCTION(easy_getinfo),
        FUNCTION(easy_pause),     FUNCTION(easy_strerror),
        FUNCTION(multi_init),     FUNCTION(multi_cleanup),    FUNCTION(multi_setopt),
        FUNCTION(multi_add_handle), FUNCTION(multi_remove_handle), FUNCTION(multi_perform),
        FUNCTION(multi_poll),     FUNCTION(multi_wakeup),     FUNCTION(multi_info_read),
        FUNCTION(share_init),     FUNCTION(share_setopt),     FUNCTION(share_cleanup),
        FUNCTION(slist_append),   FUNCTION(slist_free_all),
#undef FUNCTION
    };
    return clibrary_load(name, wanted, sizeof wanted / sizeof wanted[0], functions);
}

int32_t ccurl_set_long(const CCurlFunctions *curl, CCurlEasy *easy, int32_t option, long value) {
    return curl->easy_setopt(easy, option, value);
}

int32_t ccurl_set_offset(const CCurlFunctions *curl, CCurlEasy *easy, int32_t option, int64_t value) {
    return curl->easy_setopt(easy, option, value);
}

int32_t ccurl_set_pointer(const CCurlFunctions *curl, CCurlEasy *easy, int32_t option, const void *value) {
    return curl->easy_setopt(easy, option, value);
}

int32_t ccurl_set_data_callback(const CCurlFunctions *curl, CCurlEasy *easy, int32_t option, CCurlDataCallback callback) {
    return curl->easy_setopt(easy, option, callback);
}

int32_t ccurl_set_seek_callback(const CCurlFunctions *curl, CCurlEasy *easy, CCurlSeekCallback callback) {
    return curl->easy_setopt(easy, CCURLOPT_SEEKFUNCTION, callback);
}

int32_t ccurl_set_prerequest_callback(const CCurlFunctions *curl, CCurlEasy *easy, CCurlPrerequestCallback callback) {
    return curl->easy_setopt(easy, CCURLOPT_PREREQFUNCTION, callback);
}

int32_t ccurl_set_debug_callback(const CCurlFunctions *curl, CCurlEasy *easy, CCurlDebugCallback callback) {
    return curl->easy_setopt(easy, CCURLOPT_DEBUGFUNCTION, callback);
}

int32_t ccurl_set_multi_long(const CCurlFunctions *curl, CCurlMulti *multi, int32_t option, long value) {
    return curl->multi_setopt(multi, option, value);
}

int32_t ccurl_set_share_int(const CCurlFunctions *curl, CCurlShare *share, int32_t option, int32_t value) {
    return curl->share_setopt(share, option, value);
}

int32_t ccurl_ask_long(const CCurlFunctions *curl, CCurlEasy *easy, int32_t info, long *value) {
    return curl->easy_getinfo(easy, info, value);
}

long ccurl_get_long(const CCurlFunctions *curl, CCurlEasy *easy, int32_t info) {
    long value = 0;
    return ccurl_ask_long(curl, easy, info, &value) == CCURLE_OK ? value : 0;
}

int64_t ccurl_get_offset(const CCurlFunctions *curl, CCurlEasy *easy, int32_t info) {
    int64_t value = 0;
    return curl->easy_getinfo(easy, info, &value) == CCURLE_OK ? value : 0;
}

void *ccurl_get_pointer(const CCurlFunctions *curl, CCurlEasy *easy, int32_t info) {
    void *value = NULL;
    return curl->easy_getinfo(easy, info, &value) == CCURLE_OK ? value : NULL;
}
