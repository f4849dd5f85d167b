import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { tools } from '#shared/composition/tools.ts';
import { ToolRefused } from '#shared/domain/assistant/answering/assistant.ts';
import { ReplyDraft } from '#shared/domain/assistant/answering/draft.ts';
import { give, type ToolContext } from '#shared/domain/assistant/answering/tools/context.ts';
import type { RecordTools } from '#shared/domain/assistant/answering/tools/record-tools.ts';
import { toolbox } from '#shared/domain/assistant/answering/tools/toolbox.ts';
import { allPorts } from '../../../support/ports.ts';

/** What families of records register with the assistant's tools. */

const id = '0198c0de-0000-7000-8000-000000000001';

/** A family that only this test has. */
const organizationTools: RecordTools = {
  card_type: 'Organization',
  reading: 'an organization with its people',
  read: async (context, organization_id) => {
    give(context, 'organization', [organization_id]);
    return { type: 'organization', id: organization_id } as never;
  },
  own: () => ({}),
};

let context: ToolContext;
const boxOf = (record_tools: Partial<typeof tools.record_tools>) => {
  const ports = { ...allPorts, record_tools };
  const given: Partial<ToolContext> = { ports, draft: new ReplyDraft(), given: new Set() };
  context = given as ToolContext;
  return toolbox(context);
};
const schemaOf = (input: z.ZodObject | undefined) => JSON.stringify(z.toJSONSchema(input as z.ZodObject));

describe('a family that registers', () => {
  let box: ReturnType<typeof toolbox>;
  beforeEach(() => {
    box = boxOf({ ...tools.record_tools, organizations: organizationTools });
  });

  it('can be read, and the assistant is told so', async () => {
    expect(box.read_record?.description).toBe(
      'Read a thread with its newest messages and comments, or a contact with its latest threads, or an organization with its people, or a deal with its people, and the stages that it may be in, or a task with what it is about, or a calendar event with the people who are invited, or a file with its names, sizes and links, but not its content, or a space with its members or tags, or a milestone with the progress of its tasks.',
    );
    expect(await box.read_record?.run({ type: 'organization', id })).toEqual({ type: 'organization', id });
  });

  it('is shown on cards and named in tables after it was read', async () => {
    const card = { card_type: 'Organization', ids: [id] };
    const table = {
      columns: [{ key: 'name', label: 'Name' }],
      rows: [{ cells: { name: 'Ferries' }, ref: { type: 'organization', id } }],
    };
    await expect(box.show_cards?.run(card)).rejects.toThrow(ToolRefused);
    await expect(box.show_table?.run(table)).rejects.toThrow(ToolRefused);
    await box.read_record?.run({ type: 'organization', id });
    expect(await box.show_cards?.run(card)).toEqual({ shown: true });
    expect(await box.show_table?.run(table)).toEqual({ shown: true });
  });
});

describe('without a family', () => {
  it('nothing of it is described or can be used', async () => {
    const { threads: _, ...others } = tools.record_tools;
    const box = boxOf(others);
    expect(Object.keys(box)).not.toContain('search_threads');
    expect(Object.keys(box)).toContain('search_contacts');
    for (const tool of [box.read_record, box.show_cards, box.show_table])
      expect(schemaOf(tool?.input)).not.toMatch(/thread/i);
    await expect(box.read_record?.run({ type: 'thread', id })).rejects.toThrow(/does not fit/);
  });

  it('its changes are not offered', async () => {
    const { input } = boxOf(tools.record_tools).propose_change as { input: z.ZodObject };
    expect(schemaOf(input)).toContain('contact.create: {name');
    const offered = toolbox({ ...context, ports: { ...allPorts, actions: {} } }).propose_change as {
      input: z.ZodObject;
    };
    expect(schemaOf(offered.input)).not.toContain('contact');
  });
});
