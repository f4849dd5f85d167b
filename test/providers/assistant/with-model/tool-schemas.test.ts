import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Tool, Toolbox } from '#shared/domain/assistant/answering/assistant.ts';
import type { ToolContext } from '#shared/domain/assistant/answering/tools/context.ts';
import { toolbox } from '#shared/domain/assistant/answering/tools/toolbox.ts';
import type { LanguageModel } from '#shared/providers/assistant/model.ts';
import { modelOf } from '#shared/providers/assistant/models.ts';
import { modelTools } from '#shared/providers/assistant/with-model/tool-schemas.ts';
import { assistantWith } from '#shared/providers/assistant/with-model.ts';
import { asked, soon } from '../../../support/assistant-tools.ts';
import { type ModelServer, startModelServer } from '../../../support/model-server.ts';
import { allPorts } from '../../../support/ports.ts';

/** The tools as providers get them. */

// Only using a tool needs the rest of the context.
const context: Partial<ToolContext> = { ports: allPorts };
const tools = toolbox(context as ToolContext);

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer([{ text: 'Well.' }]);
});
afterEach(() => server.stop());

interface Told {
  name: string;
  description: string;
  schema: Record<string, unknown> & { properties: Record<string, Record<string, unknown>> };
}

async function toldOn(wire: 'openai' | 'bedrock', box: Toolbox = tools): Promise<Map<string, Told>> {
  const model = modelOf({ assistant: server.config(wire) }) as LanguageModel;
  await assistantWith(model).answer(asked, box, soon());
  const { body } = server.requests[0] as ModelServer['requests'][0];
  const told: Told[] =
    wire === 'openai'
      ? body.tools.map(({ function: { parameters, ...rest } }: { function: { parameters: object } }) => ({
          ...rest,
          schema: parameters,
        }))
      : body.toolConfig.tools.map(({ toolSpec }: { toolSpec: { inputSchema: { json: object } } }) => ({
          ...toolSpec,
          schema: toolSpec.inputSchema.json,
        }));
  return new Map(told.map((each) => [each.name, each]));
}

describe.each(['openai', 'bedrock'] as const)('the schemas of the tools (%s)', (wire) => {
  it('are those of all tools, with their names and descriptions', async () => {
    const told = await toldOn(wire);
    expect([...told.keys()]).toEqual(Object.keys(tools));
    for (const { name, description } of Object.values(tools))
      expect(told.get(name)?.description).toBe(description);
  });

  it('have only type, properties and required at the top, because Nova accepts nothing else', async () => {
    for (const { schema } of (await toldOn(wire)).values()) {
      expect(['properties', 'required', 'type']).toEqual(expect.arrayContaining(Object.keys(schema)));
      expect(schema.type).toBe('object');
      expect(schema.properties).toBeTypeOf('object');
    }
  });

  it('are inline, without references', async () => {
    const told = await toldOn(wire);
    expect(JSON.stringify([...told.values()])).not.toMatch(/\$ref|\$defs|\$schema/);
    const id = { type: 'string', format: 'uuid', pattern: expect.stringMatching(/^\^.*\$$/) };
    expect(told.get('read_record')?.schema).toMatchObject({
      properties: {
        type: {
          enum: [
            ...['thread', 'contact', 'organization', 'deal', 'task', 'calendar_event'],
            ...['file', 'space', 'milestone'],
          ],
        },
        id,
      },
      required: ['type', 'id'],
    });
    expect(told.get('show_cards')?.schema.properties).toMatchObject({ ids: { items: id, maxItems: 50 } });
    expect(told.get('show_table')?.schema.properties).toMatchObject({
      rows: {
        items: {
          properties: { cells: { type: 'object' }, ref: { properties: { id } } },
          required: ['cells'],
        },
      },
    });
  });

  it('describe the input before it is trimmed, lower-cased or filled in', async () => {
    const search = (await toldOn(wire)).get('search_threads')?.schema;
    expect(search).not.toHaveProperty('required');
    expect(search?.properties).toMatchObject({
      query: { type: 'string', minLength: 1, maxLength: 500, description: expect.stringContaining('words') },
      last_sent_after: { type: 'string', format: 'date-time' },
      limit: { type: 'integer', minimum: 1, maximum: 20, default: 10 },
    });
  });
});

it('a type that no schema can express allows any value', () => {
  const input = z.object({
    at: z.string().transform((text) => new Date(text)),
    tag: z.string().trim().toLowerCase().pipe(z.string().min(1)),
    when: z.date().optional(),
  });
  const told = modelTools({
    list_tags: { name: 'list_tags', description: '', input } as unknown as Tool<'list_tags'>,
  });
  expect(told[0]?.input).toEqual({
    type: 'object',
    properties: { at: { type: 'string' }, tag: { type: 'string' }, when: {} },
    required: ['at', 'tag'],
  });
});

it('no tool changes a record', () => {
  expect([
    ...['find_duplicates', 'list_calendars', 'list_milestones', 'list_pipelines', 'list_spaces'],
    ...['search_events', 'search_files'],
    'list_tags',
    'propose_change',
    'read_record',
    'search_contacts',
    'search_deals',
    'search_organizations',
    'search_tasks',
    'list_users',
    'search_threads',
    'show_cards',
    'show_table',
  ]).toEqual(expect.arrayContaining(Object.keys(tools)));
});
