"""Servers that break off, break the rules, or never end; each in threads of this process, on a port of its own."""

import ctypes
import socket
import ssl
import struct
import threading
import zlib

MEBIBYTE = 1 << 20


def serve(respond, path=None):
    """Runs `respond(connection)` for each connection, and ends that; gives the port, or listens at `path`."""
    listener = socket.socket(socket.AF_UNIX if path else socket.AF_INET)
    listener.bind(path or ("127.0.0.1", 0))
    listener.listen(16)

    def one(connection):
        with connection:
            try:
                respond(connection)
                end(connection)
            except OSError:
                pass  # The client went away, or refused the certificate.

    def accept():
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=one, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return None if path else listener.getsockname()[1]


def end(connection):
    """Ends the output and waits until the client has gone: what it still sends must not cause a reset."""
    connection.settimeout(30)
    connection.shutdown(socket.SHUT_WR)
    while connection.recv(65536):
        pass


def silent():
    """Returns the port of a socket that takes connections and never says anything, and the socket, which must be kept."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(16)
    return listener.getsockname()[1], listener


def read_headers(connection):
    headers = b""
    while b"\r\n\r\n" not in headers:
        chunk = connection.recv(65536)
        if not chunk:
            raise OSError("the client went away")
        headers += chunk
    return headers


def says(content):
    """Reads a request's headers and sends `content`."""

    def respond(connection):
        read_headers(connection)
        connection.sendall(content)

    return respond


def proxy(then):
    """Agrees to CONNECT, and continues with `then`."""

    def respond(connection):
        read_headers(connection)
        connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        then(connection)

    return respond


def in_turn(*responses):
    """The first connection gets the first response, and so on; the last one is for all that follow."""
    rest = list(responses)
    lock = threading.Lock()

    def respond(connection):
        with lock:
            one = rest.pop(0) if len(rest) > 1 else rest[0]
        one(connection)

    return respond


def breaks_off(content):
    """Responds without reading the rest, and resets the connection."""

    def respond(connection):
        connection.recv(1024)
        connection.sendall(content)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()

    return respond


def hangs_up(connection):
    connection.recv(65536)


def over_tls(directory, respond, protocols=("http/1.1",), certificate="good"):
    """Speaks TLS, and does not say there that it ends the connection (close_notify)."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{directory}/{certificate}.pem", f"{directory}/{certificate}.key")
    context.set_alpn_protocols(list(protocols))

    def respond_over_tls(connection):
        with context.wrap_socket(connection, server_side=True) as secure:
            respond(secure)
            end(secure)

    return respond_over_tls


# HTTP/2 frames (RFC 9113, section 6).
DATA, HEADERS, RST_STREAM, SETTINGS, GOAWAY = 0, 1, 3, 4, 7
END_HEADERS = 4
STATUS_200 = b"\x88"


def frame(kind, payload=b"", flags=0, stream=0):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def http2(*frames, stays=False):
    """Reads up to the request's HEADERS and sends the frames; `stays`: until the client ends the connection."""

    def respond(connection):
        received = connection.makefile("rb")
        received.read(24)  # The client's preface.
        connection.sendall(frame(SETTINGS))
        while True:
            header = received.read(9)
            if len(header) < 9:
                return
            received.read(int.from_bytes(header[:3], "big"))
            if header[3] == HEADERS:
                break
        connection.sendall(b"".join(frames))
        while stays and received.read1(65536):
            pass

    return respond


def goaway(code, last=0):
    return frame(GOAWAY, struct.pack(">II", last, code))


def reset(code):
    return frame(RST_STREAM, struct.pack(">I", code), stream=1)


def long_body(content_type, chunk, count, start=b"", end=b"", status="200 OK"):
    """`chunk`, `count` times; it is never held as a whole."""
    block = chunk * max(1, MEBIBYTE // len(chunk))
    blocks, rest = divmod(count, len(block) // len(chunk))

    def respond(connection):
        read_headers(connection)
        length = len(start) + len(chunk) * count + len(end)
        headers = f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n\r\n"
        connection.sendall(headers.encode() + start)
        for _ in range(blocks):
            connection.sendall(block)
        connection.sendall(chunk * rest + end)

    return respond


def compressed(coding, content_type, body):
    """Sends `body` with that content coding."""
    headers = (
        f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Encoding: {coding}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return says(headers.encode() + body)


def gzip_bomb(byte, mebibytes, start=b"", end=b""):
    """A body that gzip has made about a thousand times as small (RFC 1952)."""
    chunk = byte * MEBIBYTE
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    first = packer.compress(start) + packer.flush(zlib.Z_FULL_FLUSH)
    # After a full flush equal chunks become equal bytes.
    middle = packer.compress(chunk) + packer.flush(zlib.Z_FULL_FLUSH)
    last = packer.compress(end) + packer.flush()
    checksum, length = zlib.crc32(start), len(start) + mebibytes * MEBIBYTE + len(end)
    for _ in range(mebibytes):
        checksum = zlib.crc32(chunk, checksum)
    checksum = zlib.crc32(end, checksum)
    return b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + first + middle * mebibytes + last + struct.pack(
        "<II", checksum, length & 0xFFFFFFFF)


def zstd_bomb(byte, mebibytes):
    """Blocks of 128 kB in four bytes each, in the largest window that HTTP allows (RFC 8878, section 3.1.1; RFC 9659)."""

    def blocks(count, last):
        return (struct.pack("<I", 131_072 << 3 | 1 << 1 | last)[:3] + byte) * count

    return struct.pack("<IBB", 0xFD2FB528, 0, 13 << 3) + blocks(mebibytes * 8 - 1, 0) + blocks(1, 1)


def brotli_bomb(byte, mebibytes):
    """Returns so many mebibytes of one byte, packed by the system's Brotli with the largest window (RFC 7932, section 9.1)."""
    library = ctypes.CDLL("libbrotlienc.so.1")
    library.BrotliEncoderCreateInstance.restype = ctypes.c_void_p
    encoder = ctypes.c_void_p(library.BrotliEncoderCreateInstance(None, None, None))
    quality, window = 1, 2
    library.BrotliEncoderSetParameter(encoder, quality, 1)
    library.BrotliEncoderSetParameter(encoder, window, 24)
    chunk = ctypes.create_string_buffer(byte * MEBIBYTE, MEBIBYTE)
    output = ctypes.create_string_buffer(MEBIBYTE)
    body = b""
    process, finish = 0, 2
    for operation, length in [(process, MEBIBYTE)] * mebibytes + [(finish, 0)]:
        left, place = ctypes.c_size_t(length), ctypes.cast(chunk, ctypes.c_void_p)
        while True:
            room, target = ctypes.c_size_t(MEBIBYTE), ctypes.cast(output, ctypes.c_void_p)
            if not library.BrotliEncoderCompressStream(
                encoder, operation, ctypes.byref(left), ctypes.byref(place), ctypes.byref(room), ctypes.byref(target),
                None):
                raise MemoryError("Brotli can't pack")
            body += output.raw[:MEBIBYTE - room.value]
            if not left.value and not library.BrotliEncoderHasMoreOutput(encoder):
                break
    library.BrotliEncoderDestroyInstance(encoder)
    return body
