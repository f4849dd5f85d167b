import { Cannot } from '#shared/providers/assistant/built-in/cannot.ts';
import { propose } from '#shared/providers/assistant/built-in/propose.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import { quote, recordLink } from '#shared/providers/assistant/built-in/say.ts';
import { fold, listed } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';

/** "Complete the task Call Northwind". */

export async function completeTask(question: Question, workspace: Workspace): Promise<string> {
  const name = (question.value ?? '').slice(0, 200);
  const { tasks } = await workspace.use('search_tasks', { query: name, slice: 'open' });
  const exact = tasks.filter((task) => fold(task.name) === fold(name));
  const [task, ...others] = exact.length > 0 ? exact : tasks;
  if (!task) throw new Cannot(`I found no open task for ${quote(name, 80)}.`);
  if (others.length > 0) {
    const names = [task, ...others].slice(0, 5).map((each) => recordLink('task', each));
    throw new Cannot(`${quote(name, 80)} fits several open tasks: ${listed(names)}. Which one do you mean?`);
  }
  const what = `complete ${recordLink('task', task)}`;
  return propose(workspace, 'task.complete', { record_id: task.id }, what);
}
