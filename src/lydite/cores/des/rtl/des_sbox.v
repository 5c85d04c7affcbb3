// SPDX-License-Identifier: Apache-2.0
//
// An S-box of DES (FIPS 46-3, appendix 1): logic. The first one of six bits is the top one.

`default_nettype none

module des_sbox #(
    // Which one, 1 to 8.
    parameter INDEX = 1
) (
    input  wire [5:0] six_i,
    output wire [3:0] four_o
);

  // Four bits for each value of six_i, the last one on top.
  localparam [255:0] TABLE =
      (INDEX == 1) ? 256'hd0650aa3e739bc5f7b12964d288ec1f487305995bcc66aa318db2fe2417df40e :
      (INDEX == 2) ? 256'h9fe25309c67c68b5214df43a1ba78ed05ab5906cad1207c9e4832bf67e48d13f :
      (INDEX == 3) ? 256'hc72e5ab53ce2f14b70839f6809d4a61d18f2b4cbe75c8d21a56f43369e0970da :
      (INDEX == 4) ? 256'he42872c5be53419f8dd71bac6009f63a9fe4ac1bc52872413a09f66053be8dd7 :
      (INDEX == 5) ? 256'h3e5043a6950cf96fd827ed1a7bc182b4698e903daff3055816db7a47c124bce2 :
      (INDEX == 6) ? 256'hd68b0d617a14e0b7a3fc5892c52f3e498b35b70ee4d31d605896c2792f4af1ac :
      (INDEX == 7) ? 256'hc23925e0f8065f9a7ea7431c8ddbb4616186fa25c7593ce3ad18904f7eb20bd4 :
      256'hb865533f0d9ac6f0d28eac4971e41b27279ce005be6359ca417b3fa684d8f21d;

  assign four_o = TABLE[4*six_i +: 4];

endmodule

`default_nettype wire
