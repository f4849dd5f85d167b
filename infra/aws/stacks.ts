import type { App } from 'aws-cdk-lib';
import { type ApiParts, ApiStack } from './api-stack.ts';
import { DataStack } from './data-stack.ts';
import { type JobsParts, JobsStack } from './jobs-stack.ts';
import { type SocketsParts, SocketsStack } from './sockets-stack.ts';

export interface Stacks {
  data: DataStack;
  sockets: SocketsStack;
  jobs: JobsStack;
  api: ApiStack;
}

/**
 * Data, Sockets, Jobs, then Api. Each stack uses names of the previous ones, but no template refers to another, so the
 * order is declared here.
 */
export function addStacks(app: App, parts: ApiParts & JobsParts & SocketsParts): Stacks {
  const data = new DataStack(app, parts.stage);
  const sockets = new SocketsStack(app, parts);
  const jobs = new JobsStack(app, parts);
  const api = new ApiStack(app, parts);
  sockets.addStackDependency(data);
  jobs.addStackDependency(data);
  jobs.addStackDependency(sockets);
  api.addStackDependency(data);
  api.addStackDependency(sockets);
  api.addStackDependency(jobs);
  return { data, sockets, jobs, api };
}
