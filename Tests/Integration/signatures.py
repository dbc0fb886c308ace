"""Sends signed requests to moto, which plays Amazon Web Services and refuses wrong signatures.

SERVERCTL is the example package's program; MOTO says where moto is. The Python of this part has boto3, which comes with moto.
"""

import json
import os
import subprocess
import sys
import urllib.request

import boto3

SERVERCTL, MOTO = os.environ["SERVERCTL"], os.environ["MOTO"]
failures = []


def check(name, condition, detail=""):
    if not condition:
        failures.append(f"{name}: {detail}")


def access_key():
    """The key of a user who may do everything. From then on, moto checks each signature."""
    iam = boto3.client("iam", endpoint_url=MOTO, region_name="us-east-1", aws_access_key_id="a", aws_secret_access_key="b")
    # The number of requests before signatures are checked: those below.
    urllib.request.urlopen(urllib.request.Request(f"{MOTO}/moto-api/reset-auth", b"3", {"Content-Type": "text/plain"}, method="POST")).read()
    iam.create_user(UserName="ada")
    key = iam.create_access_key(UserName="ada")["AccessKey"]
    everything = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
    iam.put_user_policy(UserName="ada", PolicyName="everything", PolicyDocument=json.dumps(everything))
    return key["AccessKeyId"], key["SecretAccessKey"]


def call(words, key, secret):
    environment = {
        "PATH": "/usr/bin:/bin", "AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret, "SERVERCTL_STORAGE_URL": MOTO,
        "SERVERCTL_TABLES_URL": MOTO,
    }
    return subprocess.run([SERVERCTL, "call", *words], capture_output=True, text=True, env=environment, timeout=60)


# Calls, and what the results must contain. The key has characters whose encoding is easy to get wrong.
KEY = "a/ü b+c&d=e~'(x)*.txt"
CALLS = [
    (["storage.make-bucket", "--bucket", "shelf"], ""),
    (["storage.write", "--bucket", "shelf", "--key", KEY, "--text", "grüße"], ""),
    (["storage.read", "--bucket", "shelf", "--key", KEY], "grüße"),
    (["storage.list", "--bucket", "shelf", "--prefix", "a/ü b+c"], "<KeyCount>1</KeyCount>"),
    (["tables.make", "--table", "planes"], "planes"),
    (["tables.list"], "planes"),
    (["storage.delete", "--bucket", "shelf", "--key", KEY], ""),
]

key, secret = access_key()
for words, expected in CALLS:
    outcome = call(words, key, secret)
    check(" ".join(words), outcome.returncode == 0 and expected in outcome.stdout, outcome)
    check("the secret", secret not in outcome.stdout + outcome.stderr, words[0])
for words, _ in [CALLS[3], CALLS[5]]:
    wrong = call(words, key, secret[:-1] + ("a" if secret[-1] != "a" else "b"))
    check(f"{words[0]} with a wrong secret", wrong.returncode == 4 and "SignatureDoesNotMatch" in wrong.stdout + wrong.stderr, wrong)
unknown = call(CALLS[3][0], "AKIAUNKNOWN", secret)
check("an unknown key", unknown.returncode == 4 and "InvalidAccessKeyId" in unknown.stdout + unknown.stderr, unknown)
if failures:
    sys.exit("\n".join(failures))
print(f"signatures: {len(CALLS)} calls were accepted, 3 wrong ones refused")
