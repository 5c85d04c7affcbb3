# SPDX-License-Identifier: Apache-2.0
"""SHA-3 and SHAKE as FIPS 202 writes them: the reference that the cores of this folder are held to.

Byte-oriented messages only. Written to be read beside the standard, not to be fast: some thousand
permutations a second. A state is a tuple of 25 lanes, lane (x, y) at `5 * y + x`; a lane is an
integer in which bit z is the standard's bit z. Start reading at `sponge`.
"""

from __future__ import annotations

LANE_BITS = 64
ROUNDS = 24
STATE_BYTES = 200

_MASK = (1 << LANE_BITS) - 1

Lanes = tuple[int, ...]


def _rotate(lane: int, offset: int) -> int:
    """Move bit z to bit z + offset (mod 64)."""
    offset %= LANE_BITS
    return (lane << offset | lane >> (LANE_BITS - offset)) & _MASK


def theta(lanes: Lanes) -> Lanes:
    """Add to every bit the parities of two columns (FIPS 202, 3.2.1)."""
    parity = [
        lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20] for x in range(5)
    ]
    effect = [parity[(x - 1) % 5] ^ _rotate(parity[(x + 1) % 5], 1) for x in range(5)]
    return tuple(lanes[5 * y + x] ^ effect[x] for y in range(5) for x in range(5))


def rho(lanes: Lanes) -> Lanes:
    """Rotate each lane by its own offset (FIPS 202, 3.2.2)."""
    result = list(lanes)
    x, y = 1, 0
    for t in range(24):
        result[5 * y + x] = _rotate(lanes[5 * y + x], (t + 1) * (t + 2) // 2)
        x, y = y, (2 * x + 3 * y) % 5
    return tuple(result)


def pi(lanes: Lanes) -> Lanes:
    """Rearrange the lanes (FIPS 202, 3.2.3)."""
    return tuple(lanes[5 * x + (x + 3 * y) % 5] for y in range(5) for x in range(5))


def chi(lanes: Lanes) -> Lanes:
    """Combine each lane with the two after it in its plane (FIPS 202, 3.2.4)."""
    return tuple(
        lanes[5 * y + x] ^ (~lanes[5 * y + (x + 1) % 5] & lanes[5 * y + (x + 2) % 5])
        for y in range(5)
        for x in range(5)
    )


def _round_constants() -> tuple[int, ...]:
    """Give RC of all rounds; bit t of the register's output is rc(t) (FIPS 202, Algorithm 5)."""
    register = 1
    constants = [0] * ROUNDS
    for t in range(7 * ROUNDS):
        round_index, j = divmod(t, 7)
        constants[round_index] |= (register & 1) << ((1 << j) - 1)
        register <<= 1
        if register & 0x100:
            register ^= 0x171
    return tuple(constants)


ROUND_CONSTANTS = _round_constants()


def iota(lanes: Lanes, round_index: int) -> Lanes:
    """Add the constant of a round to lane (0, 0) (FIPS 202, 3.2.5)."""
    return (lanes[0] ^ ROUND_CONSTANTS[round_index], *lanes[1:])


def keccak_f1600(lanes: Lanes) -> Lanes:
    """Permute a state by Keccak-f[1600] (FIPS 202, 3.3 and 3.4)."""
    for round_index in range(ROUNDS):
        lanes = iota(chi(pi(rho(theta(lanes)))), round_index)
    return lanes


def pad(message: bytes, rate_bytes: int, suffix: int) -> bytes:
    """Append suffix bits and pad10*1, up to whole blocks (FIPS 202, 5.1 and B.2).

    Parameters
    ----------
    suffix : int
        Domain bits, least significant first, and the first bit of the padding after them.
    """
    padded = bytearray(message)
    padded.append(suffix)
    padded.extend(bytes(-len(padded) % rate_bytes))
    padded[-1] |= 0x80
    return bytes(padded)


def pad_round2(message: bytes, rate_bytes: int, output_bytes: int) -> bytes:
    """Append the padding of round 2 of the SHA-3 contest, up to whole blocks.

    "Keccak sponge function family main document" 2.1, 3.1: a one and zeros up to a byte's end, the
    bytes of output, those of a block, and a one and zeros.
    """
    marks = bytes((0x01, output_bytes, rate_bytes, 0x01))
    return message + marks + bytes(-(len(message) + len(marks)) % rate_bytes)


def sponge(message: bytes, *, rate_bytes: int, suffix: int, output_bytes: int) -> bytes:
    """Absorb a message and squeeze bytes (FIPS 202, 4, Algorithm 8).

    Parameters
    ----------
    rate_bytes : int
        Bytes of a block, a multiple of 8 below 200.
    suffix : int
        As in `pad`.
    output_bytes : int
        How many bytes to give, 0 or more.
    """
    return squeeze(absorb(pad(message, rate_bytes, suffix), rate_bytes), rate_bytes, output_bytes)


def absorb(padded: bytes, rate_bytes: int) -> Lanes:
    """Give the lanes behind whole blocks (FIPS 202, 4, Algorithm 8, steps 1 to 6)."""
    lanes: Lanes = (0,) * 25
    for start in range(0, len(padded), rate_bytes):
        block = padded[start : start + rate_bytes] + bytes(STATE_BYTES - rate_bytes)
        lanes = keccak_f1600(
            tuple(a ^ b for a, b in zip(lanes, _lanes_of_bytes(block), strict=True))
        )
    return lanes


def squeeze(lanes: Lanes, rate_bytes: int, output_bytes: int) -> bytes:
    """Give output of lanes (FIPS 202, 4, Algorithm 8, steps 7 to 10)."""
    output = _bytes_of_lanes(lanes)[:rate_bytes]
    while len(output) < output_bytes:
        lanes = keccak_f1600(lanes)
        output += _bytes_of_lanes(lanes)[:rate_bytes]
    return output[:output_bytes]


def _lanes_of_bytes(state: bytes) -> Lanes:
    """Read lanes from 200 bytes (FIPS 202, 3.1.2 and B.1): byte 0 holds bits 0 to 7 of a lane."""
    return tuple(int.from_bytes(state[i : i + 8], "little") for i in range(0, STATE_BYTES, 8))


def _bytes_of_lanes(lanes: Lanes) -> bytes:
    """Write lanes as 200 bytes (FIPS 202, 3.1.3 and B.1)."""
    return b"".join(lane.to_bytes(8, "little") for lane in lanes)


def sha3_224(message: bytes) -> bytes:
    """Give the 28 bytes of SHA3-224 (FIPS 202, 6.1)."""
    return sponge(message, rate_bytes=144, suffix=0x06, output_bytes=28)


def sha3_256(message: bytes) -> bytes:
    """Give the 32 bytes of SHA3-256 (FIPS 202, 6.1)."""
    return sponge(message, rate_bytes=136, suffix=0x06, output_bytes=32)


def sha3_384(message: bytes) -> bytes:
    """Give the 48 bytes of SHA3-384 (FIPS 202, 6.1)."""
    return sponge(message, rate_bytes=104, suffix=0x06, output_bytes=48)


def sha3_512(message: bytes) -> bytes:
    """Give the 64 bytes of SHA3-512 (FIPS 202, 6.1)."""
    return sponge(message, rate_bytes=72, suffix=0x06, output_bytes=64)


def shake128(message: bytes, output_bytes: int) -> bytes:
    """Give bytes of SHAKE128 (FIPS 202, 6.2)."""
    return sponge(message, rate_bytes=168, suffix=0x1F, output_bytes=output_bytes)


def shake256(message: bytes, output_bytes: int) -> bytes:
    """Give bytes of SHAKE256 (FIPS 202, 6.2)."""
    return sponge(message, rate_bytes=136, suffix=0x1F, output_bytes=output_bytes)


def keccak256_round2(message: bytes) -> bytes:
    """Give the 32 bytes of Keccak[r=1088, c=512] with the padding of round 2 of the contest."""
    return squeeze(absorb(pad_round2(message, 136, 32), 136), 136, 32)


def keccak256_round3(message: bytes) -> bytes:
    """Give the 32 bytes of Keccak[r=1088, c=512] of round 3 of the contest.

    "The Keccak reference", version 3.0, chapter 1: pad10*1 without domain bits.
    """
    return sponge(message, rate_bytes=136, suffix=0x01, output_bytes=32)
