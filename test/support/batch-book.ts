/** What the provider of batches remembers: its files, its batches, what was paid. */

interface ChatBody {
  model: string;
  messages: { role: string; content: string }[];
  [parameter: string]: unknown;
}

/** What a request is answered with, in a batch and by itself. */
type ChatReply =
  | {
      text: string;
      finishReason?: string;
      usage?: { prompt_tokens: number; completion_tokens: number };
    }
  | { status: number; error: object };

/** What becomes of a line of a batch, where it is not simply answered. */
export type LineFault =
  | { status: number; error: object }
  | { code: 'batch_expired' | 'batch_cancelled' | 'request_timeout' }
  | 'missing'
  | 'twice'
  | 'unknown-id';

/** How a batch ends, where it does not end well. */
type BatchFault =
  /** The file is refused, with the line that is wrong. */
  | 'invalid'
  /** The file is refused, and nobody knows for which line. */
  | 'refused'
  /** More tokens are under way than the model allows. */
  | 'token-limit'
  /** Ends with so much of it answered. */
  | { expires: number }
  | { cancelled: number }
  /** Every line failed: completed, without an output file. */
  | 'all-failed'
  /** The output file ends in the middle of a line. */
  | 'cut'
  /** The connection breaks while the output is downloaded the first time. */
  | 'breaks'
  /** It is made, but the answer that says so never arrives. */
  | 'lost-answer'
  /** Nothing is made. */
  | 'not-made';

export interface BatchServerOptions {
  reply(body: ChatBody): ChatReply;
  /** Of a line of a batch, by how often the same request has been in one before. */
  line?(body: ChatBody, times: number): LineFault | undefined;
  /** By the number of the batch, from 0. */
  batch?(n: number): BatchFault | undefined;
  /** Of any request, by its route. */
  trouble?(route: string): { status: number; body?: object } | undefined;
  /** How long a batch takes. @default 1000 */
  durationMs?: number;
}

interface Line {
  custom_id: string;
  body: ChatBody;
}

export interface MadeBatch {
  id: string;
  lines: Line[];
  createdAt: number;
  metadata: Record<string, string>;
  fault: BatchFault | undefined;
  cancelled: boolean;
  status: string;
  output: string | null;
  errors: string | null;
}

export class BatchBook {
  readonly batches: MadeBatch[] = [];
  /** How often each request was answered, and so paid, by its body. */
  readonly paid = new Map<string, number>();
  /** Calls that came by themselves. */
  single = 0;
  private readonly files = new Map<string, { text: string; breaks: boolean }>();
  private readonly sent = new Map<string, number>();
  private made = 0;
  private moved = 0;

  constructor(readonly options: BatchServerOptions) {}

  advance(ms: number): void {
    this.moved += ms;
  }

  keep(text: string, breaks = false): { id: string; object: 'file' } {
    const id = `file-${this.files.size}`;
    this.files.set(id, { text, breaks });
    return { id, object: 'file' };
  }

  /** A file; one that breaks does so once, in its middle. */
  content(id: string): { text: string; breaks: boolean } | undefined {
    const file = this.files.get(id);
    if (!file?.breaks) return file;
    this.files.set(id, { ...file, breaks: false });
    return { text: file.text.slice(0, file.text.length / 2), breaks: true };
  }

  nextFault(): BatchFault | undefined {
    return this.options.batch?.(this.made++);
  }

  make(
    { input_file_id, metadata = {} }: { input_file_id: string; metadata?: Record<string, string> },
    fault: BatchFault | undefined,
  ): { status: number; body: object } {
    const file = this.files.get(input_file_id);
    if (!file) return { status: 400, body: { error: { message: 'no such file' } } };
    if (fault === 'not-made') return { status: 503, body: { error: { message: 'busy' } } };
    const lines = file.text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
    const batch: MadeBatch = {
      id: `batch-${this.batches.length}`,
      lines,
      metadata,
      fault,
      createdAt: this.now(),
      cancelled: false,
      status: 'validating',
      output: null,
      errors: null,
    };
    this.batches.push(batch);
    return { status: 200, body: this.shown(batch) };
  }

  look(id: string): object | undefined {
    const batch = this.batches.find((one) => one.id === id);
    if (!batch) return undefined;
    this.goOn(batch);
    return this.shown(batch);
  }

  list(query: URLSearchParams): object {
    const limit = Number(query.get('limit') ?? 20);
    const newest = this.batches.toReversed();
    const from = newest.findIndex(({ id }) => id === query.get('after')) + 1;
    const page = newest.slice(from, from + limit);
    return {
      object: 'list',
      data: page.map((batch) => this.shown(batch)),
      has_more: from + limit < newest.length,
      last_id: page.at(-1)?.id,
    };
  }

  cancel(id: string): object | undefined {
    const batch = this.batches.find((one) => one.id === id);
    if (batch) batch.cancelled = true;
    return this.look(id);
  }

  /** A call by itself. */
  complete(body: ChatBody): { status: number; body: object } {
    this.single++;
    const { status, body: answer } = this.answer(body);
    const tier = body.service_tier === undefined ? {} : { service_tier: body.service_tier };
    return { status, body: { ...answer, ...tier } };
  }

  private now(): number {
    return Date.now() + this.moved;
  }

  private goOn(batch: MadeBatch): void {
    const { fault } = batch;
    if (!['validating', 'in_progress'].includes(batch.status)) return;
    if (fault === 'invalid' || fault === 'refused' || fault === 'token-limit') {
      batch.status = 'failed';
      return;
    }
    const isOver = this.now() - batch.createdAt >= (this.options.durationMs ?? 1000);
    batch.status = 'in_progress';
    if (batch.cancelled) this.end(batch, 'cancelled', 0.5, 'batch_cancelled');
    else if (!isOver) return;
    else if (typeof fault === 'object' && 'expires' in fault)
      this.end(batch, 'expired', fault.expires, 'batch_expired');
    else if (typeof fault === 'object')
      this.end(batch, 'cancelled', fault.cancelled, 'batch_cancelled');
    else this.end(batch, 'completed', 1, 'batch_expired');
  }

  /** Answers a share of the lines; the others are told apart as not asked. */
  private end(batch: MadeBatch, status: string, share: number, code: string): void {
    const answered = Math.floor(batch.lines.length * share);
    const output: string[] = [];
    const errors: string[] = [];
    for (const [i, line] of batch.lines.entries()) {
      const fault = i < answered ? this.faultOf(batch, line) : ({ code } as LineFault);
      this.write(line, fault, output, errors);
    }
    let text = output.join('\n');
    if (batch.fault === 'cut') text = text.slice(0, text.length - 20);
    else if (text !== '') text += '\n';
    batch.status = status;
    if (text !== '') batch.output = this.keep(text, batch.fault === 'breaks').id;
    if (errors.length > 0) batch.errors = this.keep(`${errors.join('\n')}\n`).id;
  }

  private faultOf({ fault }: MadeBatch, { body }: Line): LineFault | undefined {
    if (fault === 'all-failed') return { status: 500, error: { message: 'internal error' } };
    const key = JSON.stringify(body);
    const times = this.sent.get(key) ?? 0;
    this.sent.set(key, times + 1);
    return this.options.line?.(body, times);
  }

  private write(
    { custom_id, body }: Line,
    fault: LineFault | undefined,
    output: string[],
    errors: string[],
  ) {
    const line = (id: string, response: object | null, error: object | null = null) =>
      JSON.stringify({ id: `line-${custom_id}`, custom_id: id, response, error });
    if (fault === 'missing') return;
    if (typeof fault === 'object' && 'code' in fault) {
      errors.push(line(custom_id, null, { code: fault.code, message: 'not asked' }));
      return;
    }
    const answer = typeof fault === 'object' ? refused(fault) : this.answer(body);
    const response = { status_code: answer.status, request_id: 'r', body: answer.body };
    (answer.status === 200 ? output : errors).push(line(custom_id, response));
    if (fault === 'twice') output.push(line(custom_id, response));
    if (fault === 'unknown-id') output.push(line('nobody', response));
  }

  private answer(body: ChatBody): { status: number; body: object } {
    const reply = this.options.reply(body);
    if ('status' in reply) return refused(reply);
    const key = JSON.stringify(body);
    this.paid.set(key, (this.paid.get(key) ?? 0) + 1);
    const prompt = body.messages.map(({ content }) => content).join('');
    const usage = reply.usage ?? {
      prompt_tokens: Math.ceil(prompt.length / 4),
      completion_tokens: Math.ceil(reply.text.length / 4),
    };
    const message = { role: 'assistant', content: reply.text };
    const finish_reason = reply.finishReason ?? 'stop';
    return {
      status: 200,
      body: { model: body.model, choices: [{ index: 0, message, finish_reason }], usage },
    };
  }

  private shown({ id, status, output, errors, metadata, lines, fault }: MadeBatch): object {
    const code = fault === 'token-limit' ? 'token_limit_exceeded' : 'invalid_json_line';
    const problem = {
      code,
      message: 'This file cannot be asked.',
      line: fault === 'invalid' ? 1 : null,
    };
    return {
      id,
      status,
      metadata,
      object: 'batch',
      output_file_id: output,
      error_file_id: errors,
      errors: status === 'failed' ? { object: 'list', data: [problem] } : null,
      request_counts: { total: lines.length, completed: 0, failed: 0 },
    };
  }
}

function refused({ status, error }: { status: number; error: object }) {
  return { status, body: { error } };
}
