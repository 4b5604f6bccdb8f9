// @ts-check
import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

/** On plain http from another machine a page is no secure context, and browsers leave these out. */
const needsTls = "Missing on a page that came by http from another machine:";
const secureOnly = [
  ["randomUUID", "crypto", "use random-key.ts."],
  ["subtle", "crypto", "use @noble/hashes."],
  ["clipboard", "navigator", "use kit/clipboard.ts."],
  ...["locks", "serviceWorker", "storage", "geolocation", "mediaDevices", "wakeLock", "share"].map(
    (name) => [name, "navigator", "do without it, or test whether it is there."],
  ),
].map(([name, owner, instead]) => ({
  // `crypto.subtle`, `window.crypto.subtle`, `const { subtle } = crypto`, also of a cast.
  selector: [
    `MemberExpression[property.name="${name}"]:matches([object.name="${owner}"], [object.property.name="${owner}"])`,
    `VariableDeclarator:matches([init.name="${owner}"], [init.property.name="${owner}"], [init.expression.name="${owner}"]) > ObjectPattern > Property[key.name="${name}"]`,
  ].join(", "),
  message: `${needsTls} ${instead}`,
}));

export default tseslint.config(
  {
    ignores: [
      "node_modules/",
      "**/dist/",
      "**/dist.*/",
      ".waybill/",
      "docs/",
      "sdk/generated/",
      "*.js",
      "*.mjs",
    ],
  },
  eslint.configs.recommended,
  tseslint.configs.recommendedTypeChecked,
  {
    // One program for all files: a service that opens each file by itself costs half as much again.
    languageOptions: {
      parserOptions: {
        project: ["tsconfig.json", "dashboard/tsconfig.json"],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      "max-lines-per-function": ["error", { max: 70, skipBlankLines: true, skipComments: true }],
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      // Taking a property out of an object in order to leave it behind is not forgetting it.
      "@typescript-eslint/no-unused-vars": [
        "error",
        { varsIgnorePattern: "^_", argsIgnorePattern: "^_", ignoreRestSiblings: true },
      ],
      // Our objects are closures without a `this`: a function of theirs may be taken by itself.
      "@typescript-eslint/unbound-method": "off",
      // An async signature is often the interface's, not the function's.
      "@typescript-eslint/require-await": "off",
    },
  },
  {
    // A describe block or a scenario reads better whole than cut to a length.
    files: [
      "**/*.test.ts",
      "**/contract.ts",
      "server/test/**",
      "dashboard/test/**",
      "bench/**",
      "scripts/**",
    ],
    rules: { "max-lines-per-function": "off" },
  },
  {
    // A component is one tree of elements, which reads better whole; a router throws redirects.
    files: ["dashboard/src/**"],
    rules: {
      "max-lines-per-function": ["error", { max: 110, skipBlankLines: true, skipComments: true }],
      "@typescript-eslint/only-throw-error": "off",
    },
  },
  {
    files: ["dashboard/src/**"],
    ignores: ["dashboard/src/kit/clipboard.ts"],
    rules: { "no-restricted-syntax": ["error", ...secureOnly] },
  },
  {
    // JavaScript that TypeScript checks: it knows Node's globals.
    files: ["server/bin/**"],
    rules: { "no-undef": "off" },
  },
  {
    // A route file is one list of contracts.
    files: ["server/src/**/routes.ts"],
    rules: { "max-lines-per-function": "off" },
  },
  {
    files: ["server/src/**"],
    ignores: ["server/src/config.ts", "server/src/cli/cli.ts", "**/*.test.ts", "**/*-world.ts"],
    rules: {
      "no-restricted-properties": [
        "error",
        { object: "process", property: "env", message: "Read settings from config.ts." },
      ],
    },
  },
  {
    // Imports cannot tell who writes SQL with a handle that was passed in.
    files: ["server/src/**"],
    ignores: [
      "server/src/{database,ledger,outbound,events,jobs}/**",
      "server/src/http/{idempotency,idempotency-claims,paging}.ts",
      "**/*store.ts",
      "**/*.test.ts",
    ],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector:
            "CallExpression[callee.property.name=/^(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|executeQuery)$/]",
          message: "Write SQL in a store.ts.",
        },
      ],
    },
  },
);
