import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { kitWords } from "./kit/words.ts";
import { newQueryClient } from "./query-client.ts";
import { newRouter } from "./router.tsx";
import { shellWords } from "./shell/words.ts";
import "./styles.css";
import { applyTheme, readTheme } from "./theme.ts";
import { firstLocale, LocaleProvider } from "./words/locale.tsx";

applyTheme(readTheme());
// Both are needed by the first screen, whichever it is.
void kitWords.load(firstLocale());
void shellWords.load(firstLocale());

const client = newQueryClient();
const router = newRouter(client);

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <LocaleProvider>
        <Suspense fallback={null}>
          <RouterProvider router={router} />
        </Suspense>
      </LocaleProvider>
    </QueryClientProvider>
  </StrictMode>,
);
