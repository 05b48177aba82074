/** Receives spans as a collector of OpenTelemetry does: OTLP over HTTP, in protobuf. */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import root from '@opentelemetry/otlp-transformer/build/src/generated/root.js';
import { listening } from './listening.js';

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface Message {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: Record<string, unknown>[] }[];
  }[];
}

/** What the exporter encodes with; its types say no more than that it is of protobufjs. */
interface RequestType {
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: object): Message;
}
const requests = 'opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest'
  .split('.')
  .reduce<unknown>((outer, name) => Object(outer)[name], root) as RequestType;

const STATUS_ERROR = 2;
const KIND_CLIENT = 3;

export async function startOtlpReceiver() {
  const spans: ReturnType<typeof spansOf> = [];
  const raw: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    raw.push(JSON.stringify(request.headers), body.toString('latin1'));
    if (request.url !== '/v1/traces') return void response.writeHead(404).end();
    spans.push(...spansOf(body));
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  const { address, close } = await listening(server);
  return {
    endpoint: `http://${address}`,
    spans,
    /** Every byte that came, headers included, as text. */
    raw: () => raw.join('\n'),
    close,
  };
}

function spansOf(body: Buffer) {
  const options = { bytes: String, longs: Number, defaults: true };
  const { resourceSpans } = requests.toObject(requests.decode(body), options);
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => ({
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        /** Empty for the first span of a trace. */
        parentSpanId: hex(span.parentSpanId),
        traceState: String(span.traceState),
        name: String(span.name),
        isClient: span.kind === KIND_CLIENT,
        attributes: valuesOf(span.attributes as Attribute[]),
        resource: valuesOf(resource.attributes),
        failed: (span.status as { code?: number } | null)?.code === STATUS_ERROR,
      })),
    ),
  );
}

function hex(base64: unknown): string {
  return Buffer.from(String(base64), 'base64').toString('hex');
}

function valuesOf(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const [given] = Object.entries(value ?? {}).filter(([name]) => name.endsWith('Value'));
      const { values } = Object(given?.[1]) as { values?: Record<string, unknown>[] };
      return [key, values?.map((one) => one.stringValue) ?? given?.[1]];
    }),
  );
}
