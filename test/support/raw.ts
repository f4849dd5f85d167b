import { request } from 'node:http';

/** A raw request, for input that no client would send. */
export interface RawRequest {
  method?: string;
  path: string;
  /** In this order, repeated names kept. */
  headers?: [string, string][];
  body?: string | Buffer;
}

interface SentError {
  code: string;
  message: string;
  fields?: Record<string, { code: string; message: string }>;
  request_id?: string;
  doc_url?: string;
}

export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
  json: { error?: SentError } & Record<string, unknown>;
}

export function raw(
  base_url: string,
  { method = 'GET', path, headers = [], body }: RawRequest,
): Promise<RawResponse> {
  const { hostname, port, host } = new URL(base_url);
  const length: [string, string][] =
    body === undefined ? [] : [['Content-Length', String(Buffer.byteLength(body))]];
  const sent = [['Host', host] as [string, string], ...headers, ...length].flat();
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path, method, headers: sent, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const isJson = incoming.headers['content-type']?.startsWith('application/json');
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers as Record<string, string>,
          text,
          json: isJson && text !== '' ? JSON.parse(text) : {},
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** The error of a response as text, without what names this request. */
export function errorText({ json }: RawResponse): string {
  const { request_id: _, doc_url: __, ...error } = json.error ?? {};
  return JSON.stringify({ error });
}

/** Of every record that is not there, by `errorText`. */
export const NOT_FOUND =
  '{"error":{"code":"record_not_found","message":"There is no such record, or it is not visible to you."}}';

export const bearer = (secret: string): [string, string] => ['Authorization', `Bearer ${secret}`];
export const asJson: [string, string] = ['Content-Type', 'application/json'];

/** The code of each bad field. */
export function fieldCodes(response: RawResponse): Record<string, string> {
  return Object.fromEntries(
    Object.entries(response.json.error?.fields ?? {}).map(([name, { code }]) => [name, code]),
  );
}
