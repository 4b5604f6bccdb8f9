import files, { tests } from "./.dependency-cruiser.mjs";

/**
 * Which folder may know which. Tests are left out, because they know everything, which is why this is a run of its own.
 */
export default {
  forbidden: [
    {
      name: "folders-in-one-direction",
      severity: "error",
      comment:
        "Two folders that need each other are one, or hide a third. Move what both need to where it is needed first.",
      scope: "folder",
      from: { path: "^server/src" },
      to: { circular: true },
    },
  ],
  options: { ...files.options, exclude: { path: tests } },
};
