declare module "@20minutes/s3rver" {
  import type { Server } from "node:http";

  /** As far as the tests use it. */
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      configureBuckets: { name: string; configs: string[] }[];
    });
    configureBuckets(): Promise<unknown>;
    listen(port: number, address: string): Promise<Server>;
  }
}
