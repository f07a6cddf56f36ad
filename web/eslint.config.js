import { defineConfig } from "eslint/config";
import hooks from "eslint-plugin-react-hooks";
import { configs } from "typescript-eslint";

export default defineConfig(
  { ignores: ["src/api/schema.d.ts"] },
  {
    files: ["src/**/*.{ts,tsx}", "tests/**/*.ts", "vite.config.ts"],
    extends: [configs.recommendedTypeChecked, hooks.configs.flat["recommended-latest"]],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "react-hooks/exhaustive-deps": "error",
      // React's compiler does not build this page, so what it would skip is no finding.
      "react-hooks/incompatible-library": "off",
      // A button may start what takes time: useAttempt says its error.
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
    },
  },
);
