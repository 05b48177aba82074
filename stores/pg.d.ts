/** The part of `pg` that postgres-store.ts uses: the package carries no types of its own. */
declare module 'pg' {
  export class Pool {
    constructor(options: {
      connectionString: string;
      max?: number;
      connectionTimeoutMillis?: number;
      query_timeout?: number;
    });
    query(sql: string, values?: string[]): Promise<{ rows: Record<string, unknown>[] }>;
    on(event: 'error', listener: (error: Error) => void): this;
    end(): Promise<void>;
  }
  const pg: { Pool: typeof Pool };
  export default pg;
}
