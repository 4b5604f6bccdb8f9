import { Type } from "typebox";
import { AddressUse } from "../../domain/addresses/address-use.ts";
import { Annotated } from "../../domain/values/schema.ts";
import { listResponse, pageQuery } from "../../http/paging.ts";
import { DataOf, ListOf, send, type Routes } from "../../http/routes.ts";
import * as store from "../../shipping/addresses/store.ts";
import { addAddress, changeAddress, deleteAddress } from "./change-book.ts";
import { BookAddress, BookAddressChanges, NewBookAddress } from "./schemas.ts";
import { toBookAddress } from "./view.ts";

const tags = ["Addresses"];
const reads = { scopes: ["addresses:read"] } as const;
const writes = { scopes: ["addresses:write"] } as const;
const params = Type.Object({ address_id: Type.String({ description: "The address's id." }) });

const warehouse = {
  label: "Warehouse",
  address: {
    company: "Maple & Pine Goods",
    address1: "100 King Street West",
    city: "Toronto",
    province_code: "ON",
    postal_code: "M5X 1A9",
    country_code: "CA",
    phone: "416-555-0134",
    is_residential: false,
  },
  uses: ["from", "return"],
  is_default: true,
};

/** `/addresses` and `/addresses/{id}`: the address book. */
export const addressBookRoutes: Routes = async (app) => {
  await bookReads(app);
  await bookWrites(app);
};

const bookReads: Routes = async (app) => {
  app.get(
    "/addresses",
    {
      config: reads,
      schema: {
        operationId: "listAddresses",
        summary: "List the address book, newest first",
        tags,
        querystring: Type.Object({
          ...pageQuery(BookAddress),
          q: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 100,
              description: "Part of a label, name, company, street, town or postal code.",
            }),
          ),
          use: Type.Optional(
            Annotated(AddressUse, { description: "Those that are offered for it." }),
          ),
        }),
        response: { 200: ListOf(BookAddress) },
      },
    },
    async (request) => {
      const { db, account } = request.ctx;
      const { q, use } = request.query;
      const search = { ...(q === undefined ? {} : { q }), ...(use === undefined ? {} : { use }) };
      return listResponse(request, {
        rows: (page) => store.listBook(db, account.account_id, { page, ...search }),
        count: () => store.countBook(db, account.account_id, search),
        show: toBookAddress,
      });
    },
  );

  app.get(
    "/addresses/:address_id",
    {
      config: reads,
      schema: {
        operationId: "getAddress",
        summary: "Get one address of the book",
        tags,
        params,
        response: { 200: DataOf(BookAddress) },
      },
    },
    async ({ ctx: { db, account }, params: { address_id } }) => ({
      data: toBookAddress(await store.getBookAddress(db, account.account_id, address_id)),
    }),
  );
};

const bookWrites: Routes = async (app) => {
  app.post(
    "/addresses",
    {
      config: {
        creates: "/addresses/{id}",
        ...writes,
        validation: "in_verb",
        examples: { "The default sender": warehouse },
      },
      schema: {
        operationId: "createAddress",
        summary: "Add an address to the book",
        description: "409 `conflict` for the 1,001st.",
        tags,
        body: NewBookAddress,
        response: { 201: DataOf(BookAddress) },
      },
    },
    async (request, reply) => addAddress(request.ctx, request.body).then(send(reply)),
  );

  app.put(
    "/addresses/:address_id",
    {
      config: {
        ...writes,
        validation: "in_verb",
        examples: { "Its label": { label: "Warehouse, door 4" } },
      },
      schema: {
        operationId: "updateAddress",
        summary: "Change an address of the book",
        description:
          "Fields that are left out stay, `address` is replaced as a whole. Fields that an address has and only we write may be sent back, and `is_default` as it was read beside its `default_for` changes nothing; other unknown ones are 422.",
        tags,
        params,
        body: BookAddressChanges,
        response: { 200: DataOf(BookAddress) },
      },
    },
    async (request, reply) =>
      changeAddress(request.ctx, request.params.address_id, request.body).then(send(reply)),
  );

  app.delete(
    "/addresses/:address_id",
    {
      config: writes,
      schema: {
        operationId: "deleteAddress",
        summary: "Take an address out of the book",
        tags,
        params,
        response: { 204: Type.Null({ description: "Deleted" }) },
      },
    },
    async (request, reply) =>
      deleteAddress(request.ctx, request.params.address_id).then(send(reply)),
  );
};
