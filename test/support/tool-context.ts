import type { ToolName } from '#shared/domain/assistant/answering/assistant.ts';
import { ReplyDraft } from '#shared/domain/assistant/answering/draft.ts';
import type { ToolResults } from '#shared/domain/assistant/answering/tool-results.ts';
import type { ToolContext } from '#shared/domain/assistant/answering/tools/context.ts';
import { toolbox } from '#shared/domain/assistant/answering/tools/toolbox.ts';
import { newId } from '#shared/ids.ts';
import { callerOf } from './callers.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** The assistant's tools, called by the test. */

export async function toolContext(workspace: Workspace, user: TestUser): Promise<ToolContext> {
  return {
    ...workspace.ctx,
    caller: await callerOf(workspace.table, user.user),
    now: new Date('2026-11-10T10:00:00Z'),
    draft: new ReplyDraft(),
    source: { type: 'comment', id: newId(new Date()) },
    given: new Set(),
  };
}

export function runTool<Name extends ToolName>(
  context: ToolContext,
  name: Name,
  input: object,
): Promise<ToolResults[Name]> {
  const tool = toolbox(context)[name];
  if (!tool) throw new Error(`There is no ${name}`);
  return tool.run(input) as Promise<ToolResults[Name]>;
}
