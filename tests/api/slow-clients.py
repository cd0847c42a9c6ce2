"""slow-clients.py PORT COUNT read|write: clients far away that are slow.

Each sends the request on standard input, in packets of a network's size, and reads a byte of the answer each second, with a small
receive window; or sends the body a byte each second. The first line that is printed says that all have begun; then come, for each whose
connection has ended or that was answered while it sent, the seconds since.
"""
import socket
import sys
import time

SEGMENT, WINDOW = 1400, 4096

port, count, mode = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
request = sys.stdin.buffer.read()
head = request.index(b"\r\n\r\n") + 4


def begin():
    client = socket.socket()
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, SEGMENT)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, WINDOW)
    client.connect(("127.0.0.1", port))
    client.sendall(request if mode == "read" else request[:head])
    client.setblocking(False)
    return client


def goes_on(client, at):
    try:
        received = client.recv(1)
        return mode == "read" and received != b""
    except BlockingIOError:
        pass
    except OSError:
        return False
    try:
        return mode == "read" or client.send(request[at:at + 1]) == 1
    except OSError:
        return False


clients = [begin() for _ in range(count)]
since = time.monotonic()
print("begun", flush=True)
at = head
while clients:
    for client in [each for each in clients if not goes_on(each, at)]:
        clients.remove(client)
        print(round(time.monotonic() - since, 1), flush=True)
    at = min(at + 1, len(request) - 1)
    time.sleep(1)
