import {
  AddressValidation,
  AddressValidationRequest,
} from "../../domain/addresses/address-validation-schemas.ts";
import { addressInRequest, validateAddress } from "../../domain/addresses/address-validation.ts";
import { DataOf, type Routes } from "../../http/routes.ts";

/** `/addresses` (spec 4.12, decision 18). */
export const addressRoutes: Routes = async (app) => {
  app.post(
    "/addresses/validate",
    {
      config: {
        scopes: ["addresses:read", "shipments:write", "rates:read"],
        examples: {
          "A postal code of another province": {
            name: "Amélie Tremblay",
            address1: "275 Rue Notre-Dame Est",
            city: "Montréal",
            province_code: "QC",
            postal_code: "M5H2N2",
            country_code: "CA",
          },
        },
      },
      schema: {
        operationId: "validateAddress",
        summary: "Validate an address before shipping to it",
        description:
          "A bad address is a 200 that says what is wrong; 422 only when it is no address at all.",
        tags: ["Addresses"],
        body: AddressValidationRequest,
        response: { 200: DataOf(AddressValidation) },
      },
    },
    async ({ body }) => ({ data: validateAddress(addressInRequest(body)) }),
  );
};
