import { Type } from "typebox";
import { listResponse, pageQuery } from "../../http/paging.ts";
import { acceptedType } from "../../http/accept.ts";
import { DataOf, ListOf, send, type Routes } from "../../http/routes.ts";
import { DownloadLink, Statement } from "./schemas.ts";
import { linkToFile, showStatement, upToNow } from "./show-statement.ts";
import * as store from "./store.ts";
import { toStatement } from "./view.ts";

const tags = ["Billing statements"];
const scopes = ["billing:read"] as const;
const params = Type.Object({ statement_id: Type.String({ description: "The statement's id." }) });

/** `/billing/statements` (spec 4.11, decision 17). */
export const billingRoutes: Routes = async (app) => {
  app.get(
    "/billing/statements",
    {
      config: { scopes },
      schema: {
        operationId: "listStatements",
        summary: "List statements, newest first",
        description: "The first is of the running month and `open`; each month before has one.",
        tags,
        querystring: Type.Object(pageQuery(Statement)),
        response: { 200: ListOf(Statement) },
      },
    },
    async (request) => {
      const { db, account } = request.ctx;
      return listResponse(request, {
        rows: async (page) => {
          const rows = await store.listStatements(db, account.account_id, page);
          return Promise.all(rows.map((row) => upToNow(request.ctx, row)));
        },
        count: () => store.countStatements(db, account.account_id),
        show: toStatement,
      });
    },
  );

  app.get(
    "/billing/statements/:statement_id",
    {
      config: { scopes },
      schema: {
        operationId: "getStatement",
        summary: "Get one statement",
        tags,
        params,
        response: { 200: DataOf(Statement) },
      },
    },
    async ({ ctx, params: { statement_id } }) => ({ data: await showStatement(ctx, statement_id) }),
  );

  for (const file of files) {
    app.get(
      `/billing/statements/:statement_id/${file.path}`,
      {
        config: { scopes, errors: ["statement_not_ready"], file_type: file.type },
        schema: {
          operationId: file.operationId,
          summary: file.summary,
          description: `The link works for thirty minutes. With \`Accept: ${file.type}\` the answer is 303 to it.`,
          tags,
          params,
          response: {
            200: DataOf(DownloadLink),
            303: Type.Null({ description: "`Location` is the link." }),
          },
        },
      },
      async ({ ctx, headers, params: { statement_id } }, reply) => {
        const link = await linkToFile(ctx, statement_id, file.key);
        if (acceptedType(headers.accept, file.type) !== file.type) return { data: link };
        return send(reply)({ status: 303, headers: { location: link.url }, body: "" });
      },
    );
  }
};

const files = [
  {
    path: "pdf",
    type: "application/pdf",
    key: "pdf_key",
    operationId: "getStatementPdf",
    summary: "Get a link to a statement as PDF",
  },
  {
    path: "transactions.csv",
    type: "text/csv",
    key: "csv_key",
    operationId: "getStatementTransactions",
    summary: "Get a link to a statement's transactions as CSV",
  },
] as const;
