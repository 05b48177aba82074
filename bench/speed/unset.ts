/** DURABLE_RAG_ variables as empty: what the user has set does not reach the worker under measurement. */
export function unset(...names: string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [`DURABLE_RAG_${name}`, '']));
}
