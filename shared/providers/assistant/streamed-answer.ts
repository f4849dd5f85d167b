import { ModelFailed } from '#shared/domain/assistant/answering/failure.ts';
import type { ModelAnswer, ToolCall } from './model.ts';

/** Bytes of text and arguments that an answer may have. */
const MAX_BYTES = 1_000_000;

interface StreamedCall {
  id: string;
  name: string;
  /** JSON, as far as received. */
  input: string;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toolCall({ id, name, input }: StreamedCall): ToolCall {
  try {
    // Models often call a tool without parameters without arguments.
    const parsed: unknown = input.trim() === '' ? {} : JSON.parse(input);
    if (isObject(parsed)) return { id, name, input: parsed };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { id, name, input, malformed: true };
}

/** The arguments of an earlier call, as providers accept them back: always an object. */
export function earlierInput({ input }: ToolCall): Record<string, unknown> {
  return isObject(input) ? input : {};
}

/** An answer received in pieces. */
export class StreamedAnswer {
  readonly usage: ModelAnswer['usage'] = { input_tokens: 0, output_tokens: 0 };
  /** Set by the end mark of the stream. */
  stop: 'end' | 'length' | undefined;
  private readonly model: string;
  private readonly calls: StreamedCall[] = [];
  private readonly positions = new Map<number, StreamedCall>();
  private text = '';
  private bytes = 0;

  constructor(model: string) {
    this.model = model;
  }

  addText(piece: string): void {
    this.count(piece);
    this.text += piece;
  }

  get call_count(): number {
    return this.calls.length;
  }

  /** The call of pieces with this position: the last one added there. */
  callAt(position: number): StreamedCall | undefined {
    return this.positions.get(position);
  }

  addCall(position: number, id: string, name: string): StreamedCall {
    this.count(id + name);
    const call = { id, name, input: '' };
    this.calls.push(call);
    this.positions.set(position, call);
    return call;
  }

  addInput(call: StreamedCall, piece: string): void {
    this.count(piece);
    call.input += piece;
  }

  whole(): ModelAnswer {
    if (!this.stop) throw new ModelFailed('unavailable', `${this.model}: the answer broke off`);
    if (this.calls.some(({ name }) => name === ''))
      throw new ModelFailed('malformed', `${this.model}: calls a tool without a name`);
    const tool_calls = this.calls.map(toolCall);
    const stop = this.stop === 'end' && tool_calls.length > 0 ? 'tools' : this.stop;
    return { text: this.text, tool_calls, stop, usage: this.usage };
  }

  private count(piece: string): void {
    this.bytes += Buffer.byteLength(piece);
    if (this.bytes > MAX_BYTES)
      throw new ModelFailed('malformed', `${this.model}: the answer is larger than ${MAX_BYTES} bytes`);
  }
}
