import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["node_modules/", ".waybill/", "docs/"] },
  eslint.configs.recommended,
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "max-lines-per-function": ["error", { max: 70, skipBlankLines: true, skipComments: true }],
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      // An async signature is often the interface's, not the function's.
      "@typescript-eslint/require-await": "off",
    },
  },
  {
    // A describe block or a scenario reads better whole than cut to a length.
    files: ["**/*.test.ts", "server/test/**", "bench/**", "scripts/**"],
    rules: { "max-lines-per-function": "off" },
  },
  {
    files: ["server/src/**"],
    ignores: ["server/src/config.ts", "server/src/cli.ts", "**/*.test.ts"],
    rules: {
      "no-restricted-properties": [
        "error",
        { object: "process", property: "env", message: "Read settings from config.ts." },
      ],
    },
  },
);
