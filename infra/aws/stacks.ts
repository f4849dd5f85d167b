import type { App } from 'aws-cdk-lib';
import { type ApiParts, ApiStack } from './api-stack.ts';
import { DataStack } from './data-stack.ts';
import { type JobsParts, JobsStack } from './jobs-stack.ts';

export interface Stacks {
  data: DataStack;
  jobs: JobsStack;
  api: ApiStack;
}

/**
 * Data, then Jobs, then Api. Each stack uses names of the previous ones, but no template refers to another, so the
 * order is declared here.
 */
export function addStacks(app: App, parts: ApiParts & JobsParts): Stacks {
  const data = new DataStack(app, parts.stage);
  const jobs = new JobsStack(app, parts);
  const api = new ApiStack(app, parts);
  jobs.addStackDependency(data);
  api.addStackDependency(data);
  api.addStackDependency(jobs);
  return { data, jobs, api };
}
