import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { live } from '#shared/composition/live.ts';
import { socketEvents, streams } from '#shared/queues/queues.ts';
import { patternOf } from '../../infra/aws/streams.ts';
import { passes } from '../../infra/local/table-stream.ts';
import { inventedOperations, ofType, type Resource, spelled, synthesize } from './synthesized.ts';

/** Sockets and the stream in the cloud. */

const made = synthesize(inventedOperations(2), { stage: 'prod' });
const only = (resources: Record<string, Resource>, type: string) =>
  ofType(resources, type).map(([id, resource]) => ({ id, ...resource.Properties }));

test('each route of the gateway calls its function with a role, and only a ping is answered', () => {
  const [api] = only(made.sockets, 'AWS::ApiGatewayV2::Api');
  const routes = only(made.sockets, 'AWS::ApiGatewayV2::Route');
  expect(routes.map(({ RouteKey }) => RouteKey).toSorted()).toEqual(['$connect', '$default', '$disconnect']);
  for (const [name, { route }] of Object.entries(socketEvents)) {
    const { Target, ApiId, id } = routes.find(({ RouteKey }) => RouteKey === route) ?? {};
    expect(ApiId).toEqual({ Ref: api?.id });
    const integration = made.sockets[/<(\w+)>/.exec(spelled(Target))?.[1] ?? '']?.Properties;
    expect(integration).toMatchObject({ IntegrationType: 'AWS_PROXY', CredentialsArn: expect.anything() });
    const called = made.sockets[/<(\w+)\.Arn>/.exec(spelled(integration.IntegrationUri))?.[1] ?? ''];
    expect(called?.Properties.FunctionName).toBe(`WorkspaceApiSockets-prod-${name}`);
    const answers = only(made.sockets, 'AWS::ApiGatewayV2::RouteResponse').some(
      ({ RouteId }) => RouteId.Ref === id,
    );
    expect(answers).toBe(route === '$default');
  }
  expect(readdirSync('functions/sockets').toSorted()).toEqual(
    Object.keys(socketEvents)
      .map((name) => `${name}.ts`)
      .toSorted(),
  );
});

test('the stage throttles, and logs neither tickets nor what clients send', () => {
  const [stage] = only(made.sockets, 'AWS::ApiGatewayV2::Stage');
  expect(stage).toMatchObject({
    AutoDeploy: true,
    DefaultRouteSettings: {
      ThrottlingRateLimit: 1_000,
      ThrottlingBurstLimit: 2_000,
      DataTraceEnabled: false,
    },
  });
  for (const variable of Object.values<string>(JSON.parse(stage?.AccessLogSettings.Format)))
    expect(variable).not.toMatch(/query|header|authorizer|body|identity\.(user|apiKey)/i);
});

test('what AWS names itself goes from stack to stack by fixed names', () => {
  const written = [...only(made.data, 'AWS::SSM::Parameter'), ...only(made.sockets, 'AWS::SSM::Parameter')];
  expect(written.map(({ Name }) => Name).toSorted()).toEqual(
    ['socket-api', 'socket-url', 'table-stream'].map((name) => `/WorkspaceApi/prod/${name}`),
  );
  const url = written.find(({ Name }) => Name.endsWith('socket-url'))?.Value;
  expect(spelled(url)).toMatch(/^wss:\/\/<Gateway>\.execute-api\.<AWS::Region>\.<AWS::URLSuffix>\/prod$/);
});

describe('the stream', () => {
  test('is read in batches of a second, and what fails is halved, tried thrice and dropped', () => {
    const source = only(made.jobs, 'AWS::Lambda::EventSourceMapping').find(
      ({ StartingPosition }) => StartingPosition !== undefined,
    );
    expect(source).toMatchObject({
      StartingPosition: 'LATEST',
      MaximumBatchingWindowInSeconds: 1,
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 3,
      MaximumRecordAgeInSeconds: 120,
    });
    expect(source?.FilterCriteria.Filters.length).toBeLessThanOrEqual(5);
    for (const { Pattern } of source?.FilterCriteria.Filters ?? [])
      expect(Pattern.length).toBeLessThan(4_096);
  });

  test.each(live.map((kind) => [`${kind.partition} ${kind.sort}`, kind] as const))(
    'of %s passes its filters, and nothing else would be announced',
    (_name, { partition, sort, removals }) => {
      const record = (eventName: string) => ({
        eventName,
        dynamodb: { Keys: { PK: { S: `${partition}x` }, SK: { S: `${sort}x` } } },
      });
      const { filters } = streams['publish-changes'];
      expect(passes(record('REMOVE'), filters)).toBe(true);
      expect(passes(record('MODIFY'), filters)).toBe(!removals);
      expect(passes(record('INSERT'), filters)).toBe(!removals);
    },
  );

  test('filters are patterns of EventBridge', () => {
    expect(patternOf({ partitions: ['KEY#'], removals: true })).toBe(
      '{"eventName":["REMOVE"],"dynamodb":{"Keys":{"PK":{"S":[{"prefix":"KEY#"}]}}}}',
    );
    expect(patternOf({ partitions: ['A#', 'B#'], sorts: ['C'] })).toBe(
      '{"dynamodb":{"Keys":{"PK":{"S":[{"prefix":"A#"},{"prefix":"B#"}]},"SK":{"S":[{"prefix":"C"}]}}}}',
    );
    expect(existsSync('functions/queues/publish-changes.ts')).toBe(true);
  });
});
