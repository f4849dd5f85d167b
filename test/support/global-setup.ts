import { randomUUID } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { startDynamoDb } from '../../infra/local/dynamodb.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    dynamodb_endpoint: string;
    /** The prefix of the run's table names. */
    run: string;
  }
}

/** One DynamoDB Local for the whole run, with a table for each worker. */
export default async function setup(project: TestProject) {
  const database = await startDynamoDb(undefined);
  project.provide('dynamodb_endpoint', database.endpoint);
  project.provide('run', `test-${randomUUID()}`);
  return () => database.stop();
}
