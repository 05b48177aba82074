import { jsonIn } from '../../core/canonical-json.js';

/** Brings the error bodies of compatible servers into the form the `openai` client reads. */

type Fetch = typeof fetch;

/**
 * Returns a fetch whose error answers always hold `{ error: { message, … } }`.
 *
 * The client keeps nothing of a JSON error in another form, and with it the reason would be lost:
 * vLLM and Mistral send the fields without the envelope, FastAPI `{ detail }`, Ollama a string.
 */
export function withReadableErrors(inner: Fetch): Fetch {
  return async (url, init) => {
    const response = await inner(url, init);
    if (response.ok || response.body === null) return response;
    const text = await response.text().catch(() => '');
    const { status, statusText } = response;
    const headers = new Headers(response.headers);
    // The text may change its length.
    headers.delete('content-length');
    return new Response(enveloped(text), { status, statusText, headers });
  };
}

/** Wraps a JSON error that lacks the envelope; anything else is returned as it is. */
export function enveloped(text: string): string {
  const body = jsonIn(text);
  if (body === undefined) return text;
  if (typeof body !== 'object' || body === null)
    return JSON.stringify({ error: { message: text } });
  // Google answers with a list of one.
  const fields = (Array.isArray(body) ? body[0] : body) as Record<string, unknown> | undefined;
  const error = fields?.error ?? fields;
  if (typeof error === 'string') return JSON.stringify({ error: { message: error } });
  if (typeof error !== 'object' || error === null)
    return JSON.stringify({ error: { message: text } });
  const known = error as Record<string, unknown>;
  const message = typeof known.message === 'string' ? known.message : (known.detail ?? error);
  return JSON.stringify({
    error: { ...known, message: typeof message === 'string' ? message : JSON.stringify(message) },
  });
}
