// SPDX-License-Identifier: Apache-2.0
//
// Digests of BMW-256, around the ends of beats and blocks, for `main` of its cores in C.

#ifndef LYDITE_CORES_BMW_HLS_ANSWERS_H_
#define LYDITE_CORES_BMW_HLS_ANSWERS_H_

#include "../../common/hls/message.h"

static const message_answer answers[] = {
    {0, {0x412b4c6fbfc4ca82, 0xb7d8e984090eccfb, 0xdf9c78e1f862766d, 0x7a5755cc2a6885bd}},
    {1, {0x1f91913025c32ee2, 0xce7d600cb9473f56, 0x00b77265a6be3e0d, 0x7fc911dc0f74cc60}},
    {31, {0x5e1e8e6def9bf379, 0xb83fd301a58dc7c9, 0x19a1e2f855507c5b, 0xb6eaa8cd4622e5d9}},
    {32, {0x4ab5c58c43728799, 0x534fa17dd60cb4ec, 0x152894efbd6eab33, 0x4cbd3594d9d9c98b}},
    {33, {0x1460cb55c7785853, 0x0a462d8b63dd1d8a, 0x957b15f52f27e915, 0xb75cf94b5de0b30c}},
    {55, {0xa0932a89ea413954, 0x8c465b9c9101da7e, 0x1861cdbd9692fb67, 0x4db7a817bc954ff4}},
    {56, {0x9537c4867a1e4df4, 0xfe21e1ac07459e69, 0xc5781ab0a5d10a6d, 0x2131871b5f8f8a74}},
    {57, {0x53363638ddde760e, 0x6c89acea13ab9121, 0x8678f07422464a95, 0x56a968cd4f55df00}},
    {63, {0x6c386782a1b9c466, 0xb05b03a05feb62e2, 0xce118ecb724107d5, 0x4e98c1b561d8eb98}},
    {64, {0x475aed764499baf6, 0xdae20f6f1dd8fb06, 0x661b21c9d3c5ebbd, 0xb9d80de0c3f5f1bb}},
    {65, {0x5ba315675cea28f8, 0xed4ba25e7680ca1e, 0xafd7d3494f43abb9, 0xb93d51a0b83de69c}},
    {119, {0xbc28caca9e7d7ce9, 0xc1c41fec310b3435, 0x01fc9399c02d7def, 0xe7aa20628244cdf8}},
    {120, {0xddf0e8baec8d61bf, 0xc94c41dd62a3a5d2, 0xc44d96a96c755c2f, 0x9b68c9a96ef2208d}},
    {128, {0x4d4ee9ca1875ea65, 0xb6686849c6ef37a8, 0xcc4dde252cde68e7, 0xf44b5985ae71b62c}},
    {200, {0x65d04dbbc398fdac, 0x06ccb63fbfcaf6ed, 0x9a7b0fd15a1fbd4f, 0xa19eb7ee6b5527c4}},
};

#endif  // LYDITE_CORES_BMW_HLS_ANSWERS_H_
