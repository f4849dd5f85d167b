import * as z from 'zod';
import { type Tool, type Toolbox, ToolRefused } from '../assistant.ts';
import type { ModelTool, ToolCall, ToolResult } from '../model.ts';
import type { DataMarks } from './data.ts';
import { beginning, CONTEXT_BYTES, RESULT_BYTES } from './limits.ts';

/** The toolbox as a model hears of it and uses it. */

export function modelTools(tools: Toolbox): ModelTool[] {
  return Object.values(tools).map(({ name, description, input }) => ({
    name,
    description,
    input: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>,
  }));
}

/** Runs what the model asks for, as long as there is room for results. */
export class ToolRunner {
  readonly #tools: Toolbox;
  readonly #marks: DataMarks;
  #left = CONTEXT_BYTES;

  constructor(tools: Toolbox, marks: DataMarks) {
    this.#tools = tools;
    this.#marks = marks;
  }

  /** Counts what the model is told besides results. */
  spend(text: string): void {
    this.#left -= Buffer.byteLength(text);
  }

  async run(call: ToolCall): Promise<ToolResult> {
    const tool = (this.#tools as Record<string, Tool | undefined>)[call.name];
    if (call.malformed) return failed(call, 'The arguments are no JSON object.');
    if (!tool || !Object.hasOwn(this.#tools, call.name)) return failed(call, 'There is no such tool.');
    if (this.#left <= 0) return failed(call, 'There is no room for more: answer with what you have.');
    try {
      const result = JSON.stringify(await tool.run(call.input));
      const told = beginning(result, Math.min(RESULT_BYTES, Math.max(this.#left, 1_000)));
      this.spend(told);
      return { id: call.id, content: this.#marks.around(told), failed: false };
    } catch (error) {
      if (error instanceof ToolRefused) return failed(call, error.message);
      throw error;
    }
  }
}

function failed({ id }: ToolCall, content: string): ToolResult {
  return { id, content, failed: true };
}
