/** Of pg, which has no types for it: a value as the text or bytes that PostgreSQL reads, as `client.query` sends it. */
declare module "pg/lib/utils.js" {
  const utils: { prepareValue(value: unknown): string | Buffer | null };
  export default utils;
}
