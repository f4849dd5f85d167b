import type { TestProject } from 'vitest/node';
import { startDynamoDb } from '../../infra/local/dynamodb.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    dynamodb_endpoint: string;
  }
}

/** One DynamoDB Local for the whole run; every test file has a table of its own in it. */
export default async function setup(project: TestProject) {
  const database = await startDynamoDb(undefined);
  project.provide('dynamodb_endpoint', database.endpoint);
  return () => database.stop();
}
