import type en from "./words.en.ts";

const fr: typeof en = {
  title: "Aperçu",
};

export default fr;
