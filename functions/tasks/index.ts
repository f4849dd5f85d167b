export * as completeTask from './complete-task.ts';
export * as countTasks from './count-tasks.ts';
export * as createTask from './create-task.ts';
export * as deleteTask from './delete-task.ts';
export * as listTasks from './list-tasks.ts';
export * as reopenTask from './reopen-task.ts';
export * as retrieveTask from './retrieve-task.ts';
export * as updateTask from './update-task.ts';
