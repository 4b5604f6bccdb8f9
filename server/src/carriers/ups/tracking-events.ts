import { eventCodes } from "../tracking.ts";

/** UPS's three-digit status codes, as its tracking API has them in `status.statusCode`. */
export const trackingEvents = eventCodes({
  pre_transit: "003 044 045 077 079 080 157",
  cancelled: "007 043",
  accepted: "038 160 167 168 169",
  in_transit:
    "005 010 012 014 016 025 039 047 057 071 073 074 084 087 092 134 137 138 158 159 164 165",
  out_for_delivery: "006 021 037 072 078 089 091 146 162",
  available_for_pickup: "017 040 144 161",
  attempted_delivery: "022 023 024 060 061 062 066 145",
  exception: "013 029 030 046 048 049 050 051 052 053 058 059 068 069 076 083 086 090 147 149",
  return_to_sender: "033 034 035 036 064 067 081",
  delivered: "011 026 143 156",
});
