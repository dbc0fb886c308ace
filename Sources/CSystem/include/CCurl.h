// The part of libcurl's interface that CurlTransport uses.
//
// The library is loaded at run time, and its headers need not be installed: every number below is part of
// libcurl's stable ABI (soname 4), as are the layouts of the types.

#pragma once
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

typedef struct CCurlEasy CCurlEasy;
typedef struct CCurlMulti CCurlMulti;
typedef struct CCurlShare CCurlShare;

typedef struct CCurlList {
    char *_Nullable data;
    struct CCurlList *_Nullable next;
} CCurlList;

/// What curl_multi_info_read returns (`CURLMsg`).
typedef struct CCurlMessage {
    int32_t kind;
    CCurlEasy *_Nullable easy;
    union {
        void *_Nullable whatever;
        int32_t result;
    } data;
} CCurlMessage;

/// What CURLINFO_TLS_SSL_PTR points to (`struct curl_tlssessioninfo`).
typedef struct CCurlTLSSession {
    int32_t backend;
    void *_Nullable internals;
} CCurlTLSSession;

typedef struct CCurlFunctions {
    int32_t (*global_init)(long flags);
    CCurlEasy *_Nullable (*_Nonnull easy_init)(void);
    void (*easy_cleanup)(CCurlEasy *);
    int32_t (*easy_setopt)(CCurlEasy *, int32_t option, ...);
    int32_t (*easy_getinfo)(CCurlEasy *, int32_t info, ...);
    int32_t (*easy_pause)(CCurlEasy *, int32_t mask);
    const char *_Nonnull (*_Nonnull easy_strerror)(int32_t code);
    CCurlMulti *_Nullable (*_Nonnull multi_init)(void);
    int32_t (*multi_cleanup)(CCurlMulti *);
    int32_t (*multi_setopt)(CCurlMulti *, int32_t option, ...);
    int32_t (*multi_add_handle)(CCurlMulti *, CCurlEasy *);
    int32_t (*multi_remove_handle)(CCurlMulti *, CCurlEasy *);
    int32_t (*multi_perform)(CCurlMulti *, int32_t *running);
    int32_t (*multi_poll)(CCurlMulti *, void *_Nullable extra, uint32_t extraCount, int32_t milliseconds,
                          int32_t *_Nullable ready);
    int32_t (*multi_wakeup)(CCurlMulti *);
    CCurlMessage *_Nullable (*_Nonnull multi_info_read)(CCurlMulti *, int32_t *left);
    CCurlShare *_Nullable (*_Nonnull share_init)(void);
    int32_t (*share_setopt)(CCurlShare *, int32_t option, ...);
    int32_t (*share_cleanup)(CCurlShare *);
    CCurlList *_Nullable (*_Nonnull slist_append)(CCurlList *_Nullable, const char *);
    void (*slist_free_all)(CCurlList *_Nullable);
} CCurlFunctions;

typedef size_t (*CCurlDataCallback)(char *_Nullable bytes, size_t size, size_t count, void *_Nullable user);
typedef int32_t (*CCurlSeekCallback)(void *_Nullable user, int64_t offset, int32_t origin);
typedef int32_t (*CCurlPrerequestCallback)(void *_Nullable user, char *_Nullable peerAddress, char *_Nullable ownAddress,
                                           int32_t peerPort, int32_t ownPort);
typedef int32_t (*CCurlDebugCallback)(CCurlEasy *_Nullable easy, int32_t kind, char *_Nullable bytes, size_t count,
                                      void *_Nullable user);

/// Fills `functions` from the first of the loader's libraries named `name`.
///
/// Returns NULL, or the name of a function that the library lacks, or an empty text if there is no such library. The texts are
/// constants.
const char *_Nullable ccurl_load(const char *name, CCurlFunctions *functions);

// curl_easy_setopt and similar functions are variadic, which Swift can't call: one function for each type of argument.
int32_t ccurl_set_long(const CCurlFunctions *, CCurlEasy *, int32_t option, long value);
int32_t ccurl_set_offset(const CCurlFunctions *, CCurlEasy *, int32_t option, int64_t value);
int32_t ccurl_set_pointer(const CCurlFunctions *, CCurlEasy *, int32_t option, const void *_Nullable value);
int32_t ccurl_set_data_callback(const CCurlFunctions *, CCurlEasy *, int32_t option, CCurlDataCallback callback);
int32_t ccurl_set_seek_callback(const CCurlFunctions *, CCurlEasy *, CCurlSeekCallback callback);
int32_t ccurl_set_prerequest_callback(const CCurlFunctions *, CCurlEasy *, CCurlPrerequestCallback callback);
int32_t ccurl_set_debug_callback(const CCurlFunctions *, CCurlEasy *, CCurlDebugCallback callback);
int32_t ccurl_set_multi_long(const CCurlFunctions *, CCurlMulti *, int32_t option, long value);
int32_t ccurl_set_share_int(const CCurlFunctions *, CCurlShare *, int32_t option, int32_t value);

/// Asks for a number. Returns a result code; an error means that this version of the library does not know the question.
int32_t ccurl_ask_long(const CCurlFunctions *, CCurlEasy *, int32_t info, long *value);

// Zero or NULL if the library has no such value.
long ccurl_get_long(const CCurlFunctions *, CCurlEasy *, int32_t info);
int64_t ccurl_get_offset(const CCurlFunctions *, CCurlEasy *, int32_t info);
void *_Nullable ccurl_get_pointer(const CCurlFunctions *, CCurlEasy *, int32_t info);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#define CCURL_GLOBAL_ALL 3
#define CCURL_ERROR_SIZE 256
#define CCURL_MESSAGE_DONE 1
#define CCURL_PAUSE_NOTHING 0
#define CCURL_WRITE_PAUSE 0x10000001
#define CCURL_WRITE_ERROR 0xFFFFFFFF
#define CCURL_READ_ABORT 0x10000000
#define CCURL_SEEK_OK 0
#define CCURL_SEEK_FAILED 1
#define CCURL_PREREQUEST_OK 0
#define CCURL_PREREQUEST_ABORT 1
#define CCURL_PROTOCOL_HTTP_AND_HTTPS 3
#define CCURL_HTTP_VERSION_1_1 2
#define CCURL_HTTP_VERSION_2_0 3
#define CCURL_SSLVERSION_TLSv1_2 6
#define CCURL_SSLVERSION_TLSv1_3 7

#define CCURLM_MAXCONNECTS 6

#define CCURLSHOPT_SHARE 1
#define CCURL_LOCK_DATA_SSL_SESSION 4

#define CCURL_BACKEND_OPENSSL 1

#define CCURLOPT_SSLVERSION 32
#define CCURLOPT_NOBODY 44
#define CCURLOPT_POST 47
#define CCURLOPT_SSL_VERIFYPEER 64
#define CCURLOPT_FRESH_CONNECT 74
#define CCURLOPT_VERBOSE 41
#define CCURLOPT_HTTPGET 80
#define CCURLOPT_SSL_VERIFYHOST 81
#define CCURLOPT_HTTP_VERSION 84
#define CCURLOPT_BUFFERSIZE 98
#define CCURLOPT_NOSIGNAL 99
#define CCURLOPT_TIMEOUT_MS 155
#define CCURLOPT_CONNECTTIMEOUT_MS 156
#define CCURLOPT_PROTOCOLS 181
#define CCURLOPT_PATH_AS_IS 234
#define CCURLOPT_SUPPRESS_CONNECT_HEADERS 265
#define CCURLOPT_UPLOAD_BUFFERSIZE 280
#define CCURLOPT_QUICK_EXIT 322
#define CCURLOPT_WRITEDATA 10001
#define CCURLOPT_URL 10002
#define CCURLOPT_PROXY 10004
#define CCURLOPT_READDATA 10009
#define CCURLOPT_ERRORBUFFER 10010
#define CCURLOPT_HTTPHEADER 10023
#define CCURLOPT_COOKIE 10022
#define CCURLOPT_SSLCERT 10025
#define CCURLOPT_KEYPASSWD 10026
#define CCURLOPT_HEADERDATA 10029
#define CCURLOPT_COOKIEFILE 10031
#define CCURLOPT_CUSTOMREQUEST 10036
#define CCURLOPT_CAINFO 10065
#define CCURLOPT_SSLCERTTYPE 10086
#define CCURLOPT_SSLKEY 10087
#define CCURLOPT_DEBUGDATA 10095
#define CCURLOPT_CAPATH 10097
#define CCURLOPT_ACCEPT_ENCODING 10102
#define CCURLOPT_SHARE 10100
#define CCURLOPT_PRIVATE 10103
#define CCURLOPT_COOKIELIST 10135
#define CCURLOPT_SEEKDATA 10168
#define CCURLOPT_RESOLVE 10203
#define CCURLOPT_UNIX_SOCKET_PATH 10231
#define CCURLOPT_PROXY_CAINFO 10246
#define CCURLOPT_PROXY_CAPATH 10247
#define CCURLOPT_PREREQDATA 10313
#define CCURLOPT_PROTOCOLS_STR 10318
#define CCURLOPT_WRITEFUNCTION 20011
#define CCURLOPT_READFUNCTION 20012
#define CCURLOPT_HEADERFUNCTION 20079
#define CCURLOPT_DEBUGFUNCTION 20094
#define CCURLOPT_SEEKFUNCTION 20167
#define CCURLOPT_PREREQFUNCTION 20312
#define CCURLOPT_POSTFIELDSIZE_LARGE 30120

#define CCURLINFO_PRIVATE 0x100015
#define CCURLINFO_PRIMARY_IP 0x100020
#define CCURLINFO_CAINFO 0x10003D
#define CCURLINFO_CAPATH 0x10003E
#define CCURLINFO_SSL_VERIFYRESULT 0x20000D
#define CCURLINFO_HTTP_CONNECTCODE 0x200016
#define CCURLINFO_OS_ERRNO 0x200019
#define CCURLINFO_NUM_CONNECTS 0x20001A
#define CCURLINFO_PRIMARY_PORT 0x200028
#define CCURLINFO_PROXY_SSL_VERIFYRESULT 0x20002F
#define CCURLINFO_USED_PROXY 0x200042
#define CCURLINFO_COOKIELIST 0x40001C
#define CCURLINFO_TLS_SSL_PTR 0x40002D
#define CCURLINFO_SIZE_DOWNLOAD_T 0x600008
#define CCURLINFO_CONTENT_LENGTH_DOWNLOAD_T 0x60000F
#define CCURLINFO_TOTAL_TIME_T 0x600032
#define CCURLINFO_NAMELOOKUP_TIME_T 0x600033
#define CCURLINFO_CONNECT_TIME_T 0x600034
#define CCURLINFO_PRETRANSFER_TIME_T 0x600035
#define CCURLINFO_STARTTRANSFER_TIME_T 0x600036
#define CCURLINFO_APPCONNECT_TIME_T 0x600038

#define CCURLDEBUG_TEXT 0
#define CCURLDEBUG_HEADER_OUT 2

#define CCURLE_OK 0
#define CCURLE_UNSUPPORTED_PROTOCOL 1
#define CCURLE_URL_MALFORMAT 3
#define CCURLE_NOT_BUILT_IN 4
#define CCURLE_COULDNT_RESOLVE_PROXY 5
#define CCURLE_COULDNT_RESOLVE_HOST 6
#define CCURLE_COULDNT_CONNECT 7
#define CCURLE_WEIRD_SERVER_REPLY 8
#define CCURLE_HTTP2 16
#define CCURLE_PARTIAL_FILE 18
#define CCURLE_WRITE_ERROR 23
#define CCURLE_OUT_OF_MEMORY 27
#define CCURLE_OPERATION_TIMEDOUT 28
#define CCURLE_SSL_CONNECT_ERROR 35
#define CCURLE_BAD_FUNCTION_ARGUMENT 43
#define CCURLE_UNKNOWN_OPTION 48
#define CCURLE_GOT_NOTHING 52
#define CCURLE_SEND_ERROR 55
#define CCURLE_RECV_ERROR 56
#define CCURLE_SSL_CERTPROBLEM 58
#define CCURLE_PEER_FAILED_VERIFICATION 60
#define CCURLE_BAD_CONTENT_ENCODING 61
#define CCURLE_SEND_FAIL_REWIND 65
#define CCURLE_SSL_CACERT_BADFILE 77
#define CCURLE_HTTP2_STREAM 92
#define CCURLE_PROXY 97
#define CCURLE_SSL_CLIENTCERT 98
#define CCURLE_TOO_LARGE 100
