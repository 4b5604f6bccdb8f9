export default {
  title: "Overview",
};
