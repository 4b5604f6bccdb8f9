import { Type } from "typebox";
import { addProblem, throwIfAny, type Problems } from "../../domain/errors/errors.ts";
import { listResponse, pageQuery } from "../../http/paging.ts";
import { DataOf, ListOf, send, type Routes } from "../../http/routes.ts";
import { parcelToMontreal } from "../../shipping/shipments/examples.ts";
import { examples } from "./examples.ts";
import * as runs from "../../automation/run-store.ts";
import { createRule, deleteRule, replaceRule } from "./save-rule.ts";
import { NewRule, Rule, RuleRun } from "./schemas.ts";
import * as store from "../../automation/store.ts";
import { testNewRule, testRule } from "./test-rule.ts";
import { NewRuleTest, RuleTest, RuleTested } from "./test-schemas.ts";
import { toRule, toRun } from "./view.ts";

const tags = ["Automation rules"];
const reading = { scopes: ["automation:read"] } as const;
const writing = {
  scopes: ["automation:write"],
  verb_scopes: ["labels:create"],
  validation: "in_verb",
} as const;
const whoBuys = "A rule that buys (`buy_label`), enabled or not, also needs `labels:create`.";
const params = Type.Object({ rule_id: Type.String({ description: "The rule's id." }) });

/** `/rules` (spec 4.9, decision 16). */
export const ruleRoutes: Routes = async (app) => {
  await ruleReads(app);
  await ruleWrites(app);
  await ruleRuns(app);
};

const ruleReads: Routes = async (app) => {
  app.get(
    "/rules",
    {
      config: reading,
      schema: {
        operationId: "listRules",
        summary: "List rules, newest first",
        tags,
        querystring: Type.Object(pageQuery(Rule)),
        response: { 200: ListOf(Rule) },
      },
    },
    async (request) => {
      const { db, account } = request.ctx;
      return listResponse(request, {
        rows: (page) => store.listRules(db, account.account_id, page),
        count: () => store.countRules(db, account.account_id),
        show: toRule,
      });
    },
  );

  app.get(
    "/rules/:rule_id",
    {
      config: reading,
      schema: {
        operationId: "getRule",
        summary: "Get one rule",
        tags,
        params,
        response: { 200: DataOf(Rule) },
      },
    },
    async ({ ctx: { db, account }, params: { rule_id } }) => ({
      data: toRule(await store.getRule(db, account.account_id, rule_id)),
    }),
  );

  app.post(
    "/rules/:rule_id/test",
    {
      config: {
        ...reading,
        verb_scopes: ["orders:read", "shipments:read"],
        validation: "in_verb",
        examples: { "A shipment that is not created": { shipment: parcelToMontreal } },
      },
      schema: {
        operationId: "testRule",
        summary: "See what a rule would do, and why",
        description:
          "Changes nothing. A stored order also needs `orders:read`, a stored shipment `shipments:read`.",
        tags,
        params,
        body: RuleTest,
        response: { 200: DataOf(RuleTested) },
      },
    },
    async ({ ctx, params: { rule_id }, body }) => ({ data: await testRule(ctx, rule_id, body) }),
  );

  app.post(
    "/rules/test",
    {
      config: {
        ...reading,
        verb_scopes: ["orders:read", "shipments:read"],
        validation: "in_verb",
        errors: ["not_found"],
        examples: {
          "A rule that is not saved": { rule: examples.dear, shipment: parcelToMontreal },
        },
      },
      schema: {
        operationId: "testNewRule",
        summary: "See what a rule would do before it is saved",
        description:
          "Changes nothing. A stored order also needs `orders:read`, a stored shipment `shipments:read`.",
        tags,
        body: NewRuleTest,
        response: { 200: DataOf(RuleTested) },
      },
    },
    async ({ ctx, body }) => ({ data: await testNewRule(ctx, body) }),
  );
};

const ruleWrites: Routes = async (app) => {
  app.post(
    "/rules",
    {
      config: { creates: "/rules/{id}", ...writing, examples: examples.new },
      schema: {
        operationId: "createRule",
        summary: "Save a rule",
        description: whoBuys,
        tags,
        body: NewRule,
        response: { 201: DataOf(Rule) },
      },
    },
    async (request, reply) => createRule(request.ctx, request.body).then(send(reply)),
  );

  app.put(
    "/rules/:rule_id",
    {
      config: { ...writing, examples: examples.replacement },
      schema: {
        operationId: "replaceRule",
        summary: "Replace all of a rule",
        description: `What is left out becomes what it is on creation. Fields that a rule has and only we write may be sent back; other unknown ones are 422. ${whoBuys}`,
        tags,
        params,
        body: NewRule,
        response: { 200: DataOf(Rule) },
      },
    },
    async (request, reply) =>
      replaceRule(request.ctx, request.params.rule_id, request.body).then(send(reply)),
  );

  app.delete(
    "/rules/:rule_id",
    {
      config: { scopes: writing.scopes },
      schema: {
        operationId: "deleteRule",
        summary: "Delete a rule",
        description: "What it did stays, and so do its runs.",
        tags,
        params,
        response: { 204: Type.Null({ description: "Deleted" }) },
      },
    },
    async (request, reply) => deleteRule(request.ctx, request.params.rule_id).then(send(reply)),
  );
};

const subject = Type.Optional(Type.String({ description: "The runs on one of these." }));

const ruleRuns: Routes = async (app) => {
  app.get(
    "/rules/:rule_id/runs",
    {
      config: reading,
      schema: {
        operationId: "listRuleRuns",
        summary: "List what a rule did, newest first",
        tags,
        params,
        querystring: Type.Object(pageQuery(RuleRun)),
        response: { 200: ListOf(RuleRun) },
      },
    },
    async (request) => {
      const { db, account } = request.ctx;
      const { account_id } = account;
      const { id: rule_id } = await store.getRule(db, account_id, request.params.rule_id);
      const filters = { rule_id };
      return listResponse(request, {
        rows: (page) => runs.listRuns(db, { account_id, filters, page }),
        count: (most) => runs.countRuns(db, account_id, { filters, most }),
        show: toRun,
      });
    },
  );

  app.get(
    "/rules/runs",
    {
      config: reading,
      schema: {
        operationId: "listRuns",
        summary: "List what rules did, newest first",
        tags,
        querystring: Type.Object({
          ...pageQuery(RuleRun),
          order_id: subject,
          shipment_id: subject,
        }),
        response: { 200: ListOf(RuleRun) },
      },
    },
    async (request) => {
      const { account_id } = request.ctx.account;
      const { db } = request.ctx;
      const { order_id, shipment_id } = request.query;
      const problems: Problems = {};
      if (order_id !== undefined && shipment_id !== undefined)
        addProblem(problems, "shipment_id", "must not be combined with order_id.");
      throwIfAny(problems);
      const filters = { subject_id: order_id ?? shipment_id };
      return listResponse(request, {
        rows: (page) => runs.listRuns(db, { account_id, filters, page }),
        count: (most) => runs.countRuns(db, account_id, { filters, most }),
        show: toRun,
      });
    },
  );
};
