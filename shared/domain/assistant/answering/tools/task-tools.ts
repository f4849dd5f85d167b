import * as z from 'zod';
import { requiredText, uuid } from '#shared/values.ts';
import { readTask } from './read-task.ts';
import type { RecordTools } from './record-tools.ts';
import { searchTasks } from './search-tasks.ts';
import { tool } from './tool.ts';

const taskSearch = {
  query: requiredText(500).optional().meta({ description: 'Beginnings of words of the name' }),
  slice: z
    .enum(['open', 'today', 'overdue', 'upcoming', 'unscheduled', 'completed'])
    .default('open')
    .meta({ description: 'upcoming: due after today; unscheduled: without a date' }),
  mine: z.boolean().optional().meta({ description: 'Assigned to the user who asks' }),
  assigned_user_id: uuid.optional(),
  contact_id: uuid.optional(),
  organization_id: uuid.optional(),
  deal_id: uuid.optional(),
  thread_id: uuid.optional(),
  calendar_event_id: uuid.optional(),
};

export const taskTools: RecordTools = {
  card_type: 'Task',
  reading: 'a task with what it is about',
  read: readTask,
  own: (context) => ({
    search_tasks: tool(
      'search_tasks',
      'Find tasks in the order in which they are due. All conditions must hold.',
      taskSearch,
      (filters) => searchTasks(context, filters),
    ),
  }),
};
