import * as z from 'zod';
import { ApiError } from '#shared/errors.ts';
import { type Tool, type ToolName, ToolRefused } from '../assistant.ts';
import type { ToolResults } from '../tool-results.ts';

/** What is wrong with the input, in words that help a model to correct it. */
function explain(error: z.ZodError): string {
  const issues = error.issues.slice(0, 5);
  return issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`).join('; ');
}

function explainApi(error: ApiError): string {
  const fields = Object.entries(error.fields ?? {}).map(([name, { message }]) => `${name} ${message}`);
  return fields.length > 0 ? `${error.message} ${fields.join('; ')}` : error.message;
}

/** A tool from its schema and its function. API errors of the function become refusals. */
export function tool<Name extends ToolName, Shape extends z.ZodRawShape>(
  name: Name,
  description: string,
  shape: Shape,
  work: (input: z.output<z.ZodObject<Shape>>) => Promise<ToolResults[Name]>,
): Tool<Name> {
  const input = z.object(shape);
  return {
    name,
    description,
    input: input as unknown as z.ZodObject,
    async run(sent) {
      const parsed = input.safeParse(sent);
      if (!parsed.success) throw new ToolRefused(`The input does not fit: ${explain(parsed.error)}`);
      try {
        return await work(parsed.data);
      } catch (error) {
        if (error instanceof ApiError && error.meaning !== 'fault') throw new ToolRefused(explainApi(error));
        throw error;
      }
    },
  };
}
