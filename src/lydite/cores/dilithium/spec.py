# SPDX-License-Identifier: Apache-2.0
"""Dilithium2 and ML-DSA-44 as their documents write them: the reference of this folder's cores.

FIPS 204 (August 2024); V. Lyubashevsky et al.: CRYSTALS-Dilithium, Algorithm Specifications and
Supporting Documentation, version 3.1 (February 2021). Numbers of algorithms and sections are those
of FIPS 204; where round 3.1 differs, `Variant` says how. Written to be read beside them, not to be
fast. A polynomial is a list of 256 coefficients from 0 to q - 1, a vector a list of polynomials.
Start reading at `keygen_internal`.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

Poly = list[int]
Vector = list[Poly]

# 4, table 1, ML-DSA-44.
Q = 8380417
N = 256
D = 13
TAU = 39
GAMMA1 = 1 << 17
GAMMA2 = (Q - 1) // 88
K = L = 4
ETA = 2
BETA = TAU * ETA
OMEGA = 80
# 4, table 2.
C_BYTES = 32
PUBLIC_KEY_BYTES = 1312
SIGNATURE_BYTES = 2420
SEED_BYTES = RANDOM_BYTES = 32
CONTEXT_BYTES = 255

_ZETA = 1753
_HALF = (Q - 1) // 2


class Variant(NamedTuple):
    """What differs between round 3.1 and the standard.

    Attributes
    ----------
    tr_bytes : int
        Length of the hash of the public key.
    seed_suffix : bytes
        What is hashed behind the seed of a key pair (algorithm 6, line 1).
    secret_key_bytes : int
        Length of a secret key.
    """

    tr_bytes: int
    seed_suffix: bytes
    secret_key_bytes: int


ROUND3 = Variant(tr_bytes=32, seed_suffix=b"", secret_key_bytes=2528)
FIPS204 = Variant(tr_bytes=64, seed_suffix=bytes([K, L]), secret_key_bytes=2560)


def _h(data: bytes, length: int) -> bytes:
    """H of 3.7: SHAKE256."""
    return hashlib.shake_256(data).digest(length)


# ---- The number theoretic transform, 7.5. ----


def _reversed_bits(value: int) -> int:
    """BitRev8, algorithm 43."""
    return int(f"{value:08b}"[::-1], 2)


ZETAS = tuple(pow(_ZETA, _reversed_bits(k), Q) for k in range(N))


def ntt(polynomial: Poly) -> Poly:
    """Transform a polynomial (algorithm 41)."""
    w = list(polynomial)
    k, length = 0, 128
    while length:
        for start in range(0, N, 2 * length):
            k += 1
            zeta = ZETAS[k]
            for j in range(start, start + length):
                t = zeta * w[j + length] % Q
                w[j + length] = (w[j] - t) % Q
                w[j] = (w[j] + t) % Q
        length //= 2
    return w


def inverse_ntt(transformed: Poly) -> Poly:
    """Transform back (algorithm 42)."""
    w = list(transformed)
    k, length = N, 1
    while length < N:
        for start in range(0, N, 2 * length):
            k -= 1
            zeta = Q - ZETAS[k]
            for j in range(start, start + length):
                t = w[j]
                w[j] = (t + w[j + length]) % Q
                w[j + length] = zeta * (t - w[j + length]) % Q
        length *= 2
    scale = pow(N, -1, Q)
    return [scale * value % Q for value in w]


def add(a: Poly, b: Poly) -> Poly:
    """Add two polynomials."""
    return [(x + y) % Q for x, y in zip(a, b, strict=True)]


def subtract(a: Poly, b: Poly) -> Poly:
    """Subtract a polynomial from another."""
    return [(x - y) % Q for x, y in zip(a, b, strict=True)]


def multiply(a: Poly, b: Poly) -> Poly:
    """Multiply two transformed polynomials (algorithm 45)."""
    return [x * y % Q for x, y in zip(a, b, strict=True)]


def matrix_times(matrix: Sequence[Vector], vector: Vector) -> Vector:
    """Multiply a transformed matrix by a transformed vector (algorithm 48)."""
    product = []
    for row in matrix:
        total = [0] * N
        for entry, polynomial in zip(row, vector, strict=True):
            total = add(total, multiply(entry, polynomial))
        product.append(total)
    return product


def centred(value: int) -> int:
    """Give the representative modulo q from -(q - 1) / 2 to (q - 1) / 2 (2.3)."""
    return value - Q if value > _HALF else value


def norm(vector: Vector) -> int:
    """Give the infinity norm of a vector (2.3)."""
    return max(abs(centred(value)) for polynomial in vector for value in polynomial)


# ---- Sampling, 7.3. ----


def rejection_ntt(seed: bytes) -> Poly:
    """Sample a transformed polynomial (RejNTTPoly, algorithm 30; CoeffFromThreeBytes, 14)."""
    shake, blocks, found = hashlib.shake_128(seed), 5, list[int]()
    while True:
        data = shake.digest(168 * blocks)
        values = (int.from_bytes(data[at : at + 3], "little") for at in range(0, len(data), 3))
        found = [value & 0x7FFFFF for value in values if value & 0x7FFFFF < Q]
        if len(found) >= N:
            return found[:N]
        blocks += 1


def rejection_bounded(seed: bytes) -> Poly:
    """Sample a polynomial of coefficients from -2 to 2 (RejBoundedPoly, algorithm 31; 15)."""
    shake, blocks = hashlib.shake_256(seed), 2
    while True:
        data = shake.digest(136 * blocks)
        halves = (half for byte in data for half in (byte & 15, byte >> 4))
        found = [(ETA - half % 5) % Q for half in halves if half < 15]
        if len(found) >= N:
            return found[:N]
        blocks += 1


def expand_a(rho: bytes) -> list[Vector]:
    """Sample the matrix, transformed (ExpandA, algorithm 32)."""
    return [[rejection_ntt(rho + bytes([s, r])) for s in range(L)] for r in range(K)]


def expand_s(rho_prime: bytes) -> tuple[Vector, Vector]:
    """Sample the secret vectors (ExpandS, algorithm 33)."""
    sampled = [rejection_bounded(rho_prime + r.to_bytes(2, "little")) for r in range(L + K)]
    return sampled[:L], sampled[L:]


def expand_mask(rho_prime: bytes, kappa: int) -> Vector:
    """Sample the mask (ExpandMask, algorithm 34)."""
    seeds = (rho_prime + (kappa + r).to_bytes(2, "little") for r in range(L))
    return [bit_unpack(_h(seed, 576), 18, GAMMA1) for seed in seeds]


def sample_in_ball(c_tilde: bytes) -> Poly:
    """Sample the challenge: 39 coefficients 1 or -1, the others 0 (SampleInBall, algorithm 29)."""
    # 136 bytes, a block, are enough but for one in many calls.
    stream = _endless(c_tilde)
    signs = int.from_bytes(bytes(next(stream) for _ in range(8)), "little")
    c = [0] * N
    for i in range(N - TAU, N):
        j = next(stream)
        while j > i:
            j = next(stream)
        c[i] = c[j]
        c[j] = Q - 1 if signs >> (i + TAU - N) & 1 else 1
    return c


def _endless(seed: bytes) -> Iterator[int]:
    shake, at, data = hashlib.shake_256(seed), 0, b""
    while True:
        if at == len(data):
            data = shake.digest(len(data) + 136)
        yield data[at]
        at += 1


# ---- High and low bits, hints, 7.4. ----


def power2round(value: int) -> tuple[int, int]:
    """Split r into r1 2^13 + r0 (Power2Round, algorithm 35)."""
    low = value % (1 << D)
    if low > 1 << (D - 1):
        low -= 1 << D
    return (value - low) >> D, low


def decompose(value: int) -> tuple[int, int]:
    """Split r into r1 2 gamma2 + r0 modulo q (Decompose, algorithm 36)."""
    low = value % (2 * GAMMA2)
    if low > GAMMA2:
        low -= 2 * GAMMA2
    if value - low == Q - 1:
        return 0, low - 1
    return (value - low) // (2 * GAMMA2), low


def make_hint(z: int, r: int) -> int:
    """Tell whether adding z to r changes its high bits (MakeHint, algorithm 39)."""
    return int(decompose(r)[0] != decompose((r + z) % Q)[0])


def use_hint(hint: int, r: int) -> int:
    """Give the high bits of r, adjusted by a hint (UseHint, algorithm 40)."""
    m = (Q - 1) // (2 * GAMMA2)
    high, low = decompose(r)
    if not hint:
        return high
    return (high + 1) % m if low > 0 else (high - 1) % m


def _high(vector: Vector) -> Vector:
    return [[decompose(value)[0] for value in polynomial] for polynomial in vector]


def _low(vector: Vector) -> Vector:
    return [[decompose(value)[1] % Q for value in polynomial] for polynomial in vector]


# ---- Strings of bytes, 7.1 and 7.2. ----


def simple_bit_pack(polynomial: Poly, bits: int) -> bytes:
    """Pack coefficients of so many bits (SimpleBitPack, algorithm 16)."""
    total = sum(value << (bits * i) for i, value in enumerate(polynomial))
    return total.to_bytes(bits * N // 8, "little")


def simple_bit_unpack(data: bytes, bits: int) -> Poly:
    """Unpack coefficients of so many bits (SimpleBitUnpack, algorithm 18)."""
    total = int.from_bytes(data, "little")
    return [total >> (bits * i) & ((1 << bits) - 1) for i in range(N)]


def bit_pack(polynomial: Poly, bits: int, top: int) -> bytes:
    """Pack coefficients w as top - w (BitPack, algorithm 17)."""
    return simple_bit_pack([(top - value) % Q for value in polynomial], bits)


def bit_unpack(data: bytes, bits: int, top: int) -> Poly:
    """Unpack what `bit_pack` gives (BitUnpack, algorithm 19)."""
    return [(top - value) % Q for value in simple_bit_unpack(data, bits)]


def hint_bit_pack(hints: Sequence[Sequence[int]]) -> bytes:
    """Pack hints: the places of the ones, and where each polynomial's end (algorithm 20)."""
    places, ends = bytearray(), bytearray()
    for polynomial in hints:
        places += bytes(j for j in range(N) if polynomial[j])
        ends.append(len(places))
    return bytes(places).ljust(OMEGA, b"\0") + bytes(ends)


def hint_bit_unpack(data: bytes) -> list[list[int]] | None:
    """Unpack hints; None where they are not as `hint_bit_pack` gives them (algorithm 21)."""
    hints, index = [[0] * N for _ in range(K)], 0
    for polynomial, end in zip(hints, data[OMEGA:], strict=True):
        if not index <= end <= OMEGA:
            return None
        places = data[index:end]
        if any(after <= before for before, after in itertools.pairwise(places)):
            return None
        for place in places:
            polynomial[place] = 1
        index = end
    return None if any(data[index:OMEGA]) else hints


def _cut(data: bytes, count: int) -> list[bytes]:
    length = len(data) // count
    return [data[at : at + length] for at in range(0, len(data), length)]


def w1_encode(w1: Vector) -> bytes:
    """Pack high bits (w1Encode, algorithm 28)."""
    return b"".join(simple_bit_pack(polynomial, 6) for polynomial in w1)


# ---- The scheme, 6. ----


def keygen_internal(seed: bytes, variant: Variant) -> tuple[bytes, bytes]:
    """Make a key pair from a seed of 32 bytes (algorithm 6; encodings 22 and 24).

    Raises
    ------
    ValueError
        The seed has another length.
    """
    _check("a seed", seed, SEED_BYTES)
    expanded = _h(seed + variant.seed_suffix, 128)
    return key_pair(expanded[:32], expanded[32:96], expanded[96:], variant)


def key_pair(rho: bytes, rho_prime: bytes, key: bytes, variant: Variant) -> tuple[bytes, bytes]:
    """Make the key pair of a matrix' seed, which is public, of the secrets' seed, and of K
    (algorithm 6 from line 3 on).
    """
    s1, s2 = expand_s(rho_prime)
    product = matrix_times(expand_a(rho), [ntt(polynomial) for polynomial in s1])
    t = [add(inverse_ntt(u), v) for u, v in zip(product, s2, strict=True)]
    split = [[power2round(value) for value in polynomial] for polynomial in t]
    t1 = (simple_bit_pack([high for high, _ in polynomial], 10) for polynomial in split)
    t0 = (bit_pack([low for _, low in polynomial], D, 1 << (D - 1)) for polynomial in split)
    public_key = rho + b"".join(t1)
    packed = b"".join(bit_pack(polynomial, 3, ETA) for polynomial in (*s1, *s2))
    tr = _h(public_key, variant.tr_bytes)
    return public_key, rho + key + tr + packed + b"".join(t0)


def sign_internal(secret_key: bytes, mu: bytes, random: bytes, variant: Variant) -> bytes:
    """Sign the representative mu of a message (algorithm 7 from line 7 on; encodings 25 and 26).

    Parameters
    ----------
    random : bytes
        What is hashed between K and mu: nothing in round 3.1, whose signatures are deterministic.
    """
    _check("a secret key", secret_key, variant.secret_key_bytes)
    rho, key = secret_key[:32], secret_key[32:64]
    packed = secret_key[64 + variant.tr_bytes :]
    s1 = [ntt(bit_unpack(one, 3, ETA)) for one in _cut(packed[:384], L)]
    s2 = [ntt(bit_unpack(one, 3, ETA)) for one in _cut(packed[384:768], K)]
    t0 = [ntt(bit_unpack(one, D, 1 << (D - 1))) for one in _cut(packed[768:], K)]
    matrix = expand_a(rho)
    rho_prime = _h(key + random + mu, 64)
    for kappa in range(0, 1 << 16, L):
        y = expand_mask(rho_prime, kappa)
        w = [inverse_ntt(one) for one in matrix_times(matrix, [ntt(one) for one in y])]
        c_tilde = _h(mu + w1_encode(_high(w)), C_BYTES)
        c = ntt(sample_in_ball(c_tilde))
        z = [add(a, inverse_ntt(multiply(c, b))) for a, b in zip(y, s1, strict=True)]
        rest = [subtract(a, inverse_ntt(multiply(c, b))) for a, b in zip(w, s2, strict=True)]
        if norm(z) >= GAMMA1 - BETA or norm(_low(rest)) >= GAMMA2 - BETA:
            continue
        product = [inverse_ntt(multiply(c, b)) for b in t0]
        hints = [
            [make_hint(-x % Q, (y + x) % Q) for x, y in zip(a, b, strict=True)]
            for a, b in zip(product, rest, strict=True)
        ]
        if norm(product) >= GAMMA2 or sum(map(sum, hints)) > OMEGA:
            continue
        return c_tilde + b"".join(bit_pack(one, 18, GAMMA1) for one in z) + hint_bit_pack(hints)
    raise AssertionError("one attempt in four is accepted")


def verify_internal(public_key: bytes, mu: bytes, signature: bytes) -> bool:
    """Tell whether a signature is one of the message of representative mu (algorithm 8)."""
    if len(public_key) != PUBLIC_KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        return False
    rho, t1 = public_key[:32], [simple_bit_unpack(one, 10) for one in _cut(public_key[32:], K)]
    c_tilde, packed = signature[:C_BYTES], signature[C_BYTES : -(OMEGA + K)]
    z = [bit_unpack(one, 18, GAMMA1) for one in _cut(packed, L)]
    hints = hint_bit_unpack(signature[-(OMEGA + K) :])
    if hints is None or norm(z) >= GAMMA1 - BETA:
        return False
    c = ntt(sample_in_ball(c_tilde))
    product = matrix_times(expand_a(rho), [ntt(one) for one in z])
    scaled = [multiply(c, ntt([value << D for value in one])) for one in t1]
    w = [inverse_ntt(subtract(a, b)) for a, b in zip(product, scaled, strict=True)]
    w1 = [
        [use_hint(hint, value) for hint, value in zip(a, b, strict=True)]
        for a, b in zip(hints, w, strict=True)
    ]
    return c_tilde == _h(mu + w1_encode(w1), C_BYTES)


def message_representative(tr: bytes, message: bytes) -> bytes:
    """Give mu of a message, which in the standard has its prefix (algorithm 7, line 6)."""
    return _h(tr + message, 64)


def _check(what: str, value: bytes, length: int) -> None:
    if len(value) != length:
        raise ValueError(f"{what} has {length} bytes, not {len(value)}")


# ---- Dilithium2, round 3.1: figure 4 of its document. ----


def dilithium2_keygen(seed: bytes) -> tuple[bytes, bytes]:
    """Make a key pair: public and secret key.

    Raises
    ------
    ValueError
        The seed has not 32 bytes.
    """
    return keygen_internal(seed, ROUND3)


def dilithium2_sign(secret_key: bytes, message: bytes) -> bytes:
    """Sign a message, deterministically.

    Raises
    ------
    ValueError
        The key has not 2,528 bytes.
    """
    _check("a secret key", secret_key, ROUND3.secret_key_bytes)
    mu = message_representative(secret_key[64:96], message)
    return sign_internal(secret_key, mu, b"", ROUND3)


def dilithium2_verify(public_key: bytes, message: bytes, signature: bytes) -> tuple[()] | None:
    """Verify a signature: None where it is to be rejected."""
    mu = message_representative(_h(public_key, ROUND3.tr_bytes), message)
    return () if verify_internal(public_key, mu, signature) else None


# ---- ML-DSA-44: FIPS 204, 5. ----


def pure(message: bytes, context: bytes) -> bytes:
    """Give M' of a message under a context of at most 255 bytes (algorithm 2, line 10)."""
    return bytes([0, len(context)]) + context + message


def ml_dsa_keygen(seed: bytes) -> tuple[bytes, bytes]:
    """Make a key pair (algorithm 1): public and secret key.

    Raises
    ------
    ValueError
        The seed has not 32 bytes.
    """
    return keygen_internal(seed, FIPS204)


def ml_dsa_sign(secret_key: bytes, context: bytes, message: bytes, random: bytes) -> bytes:
    """Sign a message (algorithm 2).

    Parameters
    ----------
    random : bytes
        32 bytes; zeros for the deterministic variant.

    Raises
    ------
    ValueError
        The key has not 2,560 bytes, the context more than 255, or `random` not 32.
    """
    _check("a secret key", secret_key, FIPS204.secret_key_bytes)
    _check("random", random, RANDOM_BYTES)
    if len(context) > CONTEXT_BYTES:
        raise ValueError(f"a context has at most {CONTEXT_BYTES} bytes, not {len(context)}")
    mu = message_representative(secret_key[64:128], pure(message, context))
    return sign_internal(secret_key, mu, random, FIPS204)


def ml_dsa_verify(
    public_key: bytes, context: bytes, message: bytes, signature: bytes
) -> tuple[()] | None:
    """Verify a signature (algorithm 3): None where it is to be rejected."""
    if len(context) > CONTEXT_BYTES:
        return None
    mu = message_representative(_h(public_key, FIPS204.tr_bytes), pure(message, context))
    return () if verify_internal(public_key, mu, signature) else None
