import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { endpointsOf, resourceOf } from '#shared/api/catalogue.ts';
import { readConfig } from '#shared/config.ts';
import { type ErrorCode, errorCatalogue } from '#shared/errors.ts';
import { queues, schedules, streams } from '#shared/queues/queues.ts';
import { operations } from '../../functions/catalogue.ts';
import {
  copiedJobs,
  copiedOperations,
  inventedOperations,
  ofType,
  type Resource,
  spelled,
  synthesize,
} from './synthesized.ts';

/** Properties of the templates, for the real catalogue and for one of the intended size. */

const many = copiedOperations(operations, 240);
const manyJobs = copiedJobs(30);
const cors = { corsOrigins: 'https://app.example,https://admin.example' };
const real = synthesize(operations, { stage: 'prod', alarmsEmail: 'ops@example.com', ...cors });
const large = synthesize(many, { stage: 'prod' }, manyJobs);
const local = synthesize(operations, { stage: 'dev', localEndpoints: 'true', architecture: 'x86_64' });

const all = [
  { title: 'real catalogue', operations, jobs: { queues, schedules, streams }, made: real, origins: true },
  { title: '240 operations and 30 queues', operations: many, jobs: manyJobs, made: large, origins: false },
];
const functionOf = (resources: Record<string, Resource>, name: string) =>
  ofType(resources, 'AWS::Lambda::Function').filter(
    ([, { Properties }]) => Properties.FunctionName === `WorkspaceApi-prod-${name}`,
  );
const logicalId = (integration: { uri: { 'Fn::Sub': string } }) =>
  /functions\/\$\{(\w+)\.Arn\}\/(?:response-streaming-)?invocations$/.exec(integration.uri['Fn::Sub'])?.[1];

describe.each(all)('functions of the $title', ({ operations, jobs, made, origins }) => {
  const { api } = made;
  const everyFunction = [made.api, made.jobs, made.sockets].flatMap((resources) =>
    ofType(resources, 'AWS::Lambda::Function'),
  );

  test('one for each operation, and one for the rest', () => {
    const streaming = operations.flatMap(({ name, definition }) => (definition.streams ? name : []));
    for (const { name } of [...operations, { name: 'notFound' }]) {
      const streams = streaming.includes(name);
      const found = functionOf(api, name);
      expect(found, name).toHaveLength(1);
      const { Properties } = (found[0] as [string, Resource])[1];
      expect(Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: streams ? 'index.stream' : 'index.handler',
        TracingConfig: { Mode: 'Active' },
        MemorySize: streams ? 1_769 : 512,
      });
      // API Gateway waits 29 seconds for a response, and 15 minutes for the end of a stream.
      expect(Properties.Timeout).toBeLessThanOrEqual(streams ? 900 : 29);
    }
    expect(ofType(api, 'AWS::Lambda::Function')).toHaveLength(operations.length + 1);
  });

  test('one for each queue, schedule and stream, of the same name', () => {
    const names = Object.keys({ ...jobs.queues, ...jobs.schedules, ...jobs.streams });
    const found = ofType(made.jobs, 'AWS::Lambda::Function').map(
      ([, { Properties }]) => Properties.FunctionName,
    );
    expect(found.toSorted()).toEqual(names.map((name) => `WorkspaceApiJobs-prod-${name}`).toSorted());
  });

  test('have the variables that they need and no others', () => {
    for (const { name, definition } of operations) {
      const { uses, access, query = {} } = definition;
      const wanted = ['STAGE', 'ASSISTANT_PROVIDER'];
      if (access !== 'public' || uses.some((use) => use.startsWith('table:'))) wanted.push('TABLE_NAME');
      if (uses.some((use) => use.startsWith('bucket:'))) wanted.push('BUCKET_NAME');
      if (uses.some((use) => use.startsWith('queue:'))) wanted.push('QUEUE_URL_PREFIX');
      if (uses.includes('queue:reply-as-assistant')) wanted.push('ASSISTANT_QUESTIONS_PER_MINUTE');
      if (uses.includes('queue:send-mail')) wanted.push('MAIL_PROVIDER');
      if ('next_cursor' in query || uses.includes('codes')) wanted.push('CURSOR_KEYS');
      if (['mailboxes', 'mail_providers', 'calendars'].some((use) => uses.includes(use as never)))
        wanted.push('SEALING_KEY');
      if (uses.includes('live:open')) wanted.push('SOCKET_URL');
      if (uses.includes('sign_in')) wanted.push('SIGN_UP', 'WORK_ACCOUNTS_ONLY');
      if (uses.includes('app')) wanted.push('APP_PAGE', 'SOCKET_URL');
      if (origins) wanted.push('CORS_ORIGINS');
      const variables = functionOf(api, name)[0]?.[1].Properties.Environment.Variables;
      expect(Object.keys(variables).sort(), name).toEqual(wanted.sort());
    }
  });

  test('have only variables that the configuration reads', () => {
    const read = new Set<string>();
    const watch = (_env: object, name: string) => {
      read.add(name);
      return undefined;
    };
    readConfig(new Proxy({}, { get: watch as never }));
    for (const [id, { Properties }] of everyFunction)
      for (const name of Object.keys(Properties.Environment.Variables)) expect(read, id).toContain(name);
  });

  // https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
  test('have variables of at most 4 kB', () => {
    for (const [id, { Properties }] of everyFunction) {
      const text = JSON.stringify(Properties.Environment.Variables);
      expect(text.length, id).toBeLessThan(4_096);
    }
  });

  test('write to the log group of their family, for a limited time', () => {
    for (const { name, family } of operations) {
      const { LogGroup } = functionOf(api, name)[0]?.[1].Properties.LoggingConfig ?? {};
      expect(api[LogGroup.Ref]?.Properties.LogGroupName).toBe(`/workspace-api/prod/${family}`);
    }
    for (const name of Object.keys({ ...jobs.queues, ...jobs.schedules, ...jobs.streams })) {
      const job = everyFunction.find(
        ([, { Properties }]) => Properties.FunctionName === `WorkspaceApiJobs-prod-${name}`,
      );
      const { LogGroup } = job?.[1].Properties.LoggingConfig ?? {};
      expect(made.jobs[LogGroup.Ref]?.Properties.LogGroupName).toBe(`/workspace-api/prod/jobs-${name}`);
    }
    for (const resources of [made.api, made.jobs, made.sockets])
      for (const [id, { Properties }] of ofType(resources, 'AWS::Logs::LogGroup'))
        expect(Properties.RetentionInDays, id).toBe(90);
  });
});

describe.each(all)('gateway of the $title', ({ operations, made: { api } }) => {
  const { Body } = (ofType(api, 'AWS::ApiGateway::RestApi')[0] as [string, Resource])[1].Properties;
  const target = (path: string, method: string) => {
    const integration = Body.paths[path]?.[method]?.['x-amazon-apigateway-integration'];
    return api[logicalId(integration) ?? '']?.Properties.FunctionName;
  };

  test('every endpoint goes to its function through the invoke role', () => {
    for (const { resource, method, operation } of endpointsOf(operations)) {
      expect(target(resource, method.toLowerCase())).toBe(`WorkspaceApi-prod-${operation.name}`);
      if (method === 'GET') expect(target(resource, 'head')).toBe(`WorkspaceApi-prod-${operation.name}`);
    }
    const integrations = Object.values<Record<string, Record<string, unknown>>>(Body.paths)
      .flatMap((path) => Object.values(path))
      .map((method) => method['x-amazon-apigateway-integration']);
    for (const integration of integrations)
      expect(integration).toMatchObject({
        type: 'aws_proxy',
        httpMethod: 'POST',
        credentials: expect.anything(),
      });
  });

  test('operations that stream are invoked with the streaming URI, with the timeout of their function', () => {
    for (const { resource, method, operation } of endpointsOf(operations)) {
      const integration = Body.paths[resource][method.toLowerCase()]['x-amazon-apigateway-integration'];
      const [, { Properties }] = functionOf(api, operation.name)[0] as [string, Resource];
      const uri = integration.uri['Fn::Sub'] as string;
      if (operation.definition.streams) {
        expect(integration).toMatchObject({
          responseTransferMode: 'STREAM',
          timeoutInMillis: Properties.Timeout * 1_000,
        });
        expect(uri).toMatch(/:lambda:path\/2021-11-15\/functions\/.*\/response-streaming-invocations$/);
      } else {
        expect(integration).not.toHaveProperty('responseTransferMode');
        expect(uri).toMatch(/:lambda:path\/2015-03-31\/functions\/.*\/invocations$/);
      }
    }
  });

  test('every path routes its other methods, first, because sam local lets later ones win', () => {
    const parents = endpointsOf(operations).flatMap(({ resource }) =>
      resource.split('/').map((_segment, i, segments) => segments.slice(0, i + 1).join('/') || '/'),
    );
    for (const path of ['/', '/{proxy+}', ...parents]) {
      expect(Object.keys(Body.paths[path] ?? {})[0], path).toBe('x-amazon-apigateway-any-method');
      expect(target(path, 'x-amazon-apigateway-any-method')).toBe('WorkspaceApi-prod-notFound');
    }
  });

  test('paths are spelled as API Gateway wants them, within its limit', () => {
    const paths = Object.keys(Body.paths).filter((path) => path !== '/{proxy+}');
    for (const path of paths) expect(path).toBe(resourceOf(path));
    expect(paths.length).toBeLessThan(300);
  });

  test('its own errors have the documented shape', () => {
    const responses = Body['x-amazon-apigateway-gateway-responses'];
    const types = Object.values<{ responseType?: string }>(ResponseType as never).flatMap(
      ({ responseType }) => responseType ?? [],
    );
    expect(types.length).toBeGreaterThan(15);
    expect(Object.keys(responses).sort()).toEqual(types.sort());
    for (const [type, response] of Object.entries<Record<string, Record<string, string>>>(responses)) {
      const { error } = JSON.parse(response.responseTemplates?.['application/json'] as string);
      const { status } = errorCatalogue[error.code as ErrorCode];
      expect(error, type).toEqual({
        code: error.code,
        message: expect.stringMatching(/./),
        request_id: '$context.requestId',
        doc_url: `https://$context.domainName/$context.stage/docs/errors#${error.code}`,
      });
      // A status on this one would become the status of all the others.
      expect(response.statusCode, type).toBe(type === 'DEFAULT_4XX' ? undefined : String(status));
      expect(response.responseParameters?.['gatewayresponse.header.X-Request-Id']).toBe('context.requestId');
    }
    expect(responses.THROTTLED.responseParameters['gatewayresponse.header.Retry-After']).toBe("'1'");
  });
});

test('a domain of its own is the only address, without the stage in the path', () => {
  const certificateArn = 'arn:aws:acm:eu-west-1:111122223333:certificate/x';
  const own = { stage: 'prod', domainName: 'api.acme.example', certificateArn };
  const made = synthesize(inventedOperations(2), { ...own, hostedZoneId: 'Z1' });
  const only = (type: string, { api } = made) => ofType(api, type).map(([, { Properties }]) => Properties);
  const [{ DisableExecuteApiEndpoint, Body }] = only('AWS::ApiGateway::RestApi') as [Resource['Properties']];
  expect(DisableExecuteApiEndpoint).toBe(true);
  const { THROTTLED } = Body['x-amazon-apigateway-gateway-responses'];
  expect(JSON.parse(THROTTLED.responseTemplates['application/json']).error.doc_url).toBe(
    'https://$context.domainName/docs/errors#rate_limited',
  );
  expect(only('AWS::ApiGateway::DomainName')).toMatchObject([
    {
      DomainName: 'api.acme.example',
      RegionalCertificateArn: certificateArn,
      SecurityPolicy: 'TLS_1_2',
      EndpointConfiguration: { Types: ['REGIONAL'] },
    },
  ]);
  const [mapping] = only('AWS::ApiGateway::BasePathMapping');
  expect(mapping).toMatchObject({ Stage: { Ref: expect.stringContaining('Stage') } });
  expect(mapping).not.toHaveProperty('BasePath');
  expect(only('AWS::Route53::RecordSet')).toMatchObject([
    { Name: 'api.acme.example', Type: 'A', HostedZoneId: 'Z1', AliasTarget: expect.anything() },
  ]);
  const { Outputs } = Template.fromStack(made.stacks.api).toJSON();
  expect(Outputs.ApiUrl.Value).toBe('https://api.acme.example/');
  expect(Outputs).toHaveProperty('DomainTarget');
  expect(new AwsSolutionsChecks(made.app).validateScope(made.app).violations).toEqual([]);

  const elsewhere = synthesize(inventedOperations(2), own);
  expect(only('AWS::Route53::RecordSet', elsewhere)).toEqual([]);
  expect(only('AWS::ApiGateway::DomainName', elsewhere)).toHaveLength(1);
  expect(only('AWS::ApiGateway::DomainName', real)).toEqual([]);
});

test('sam local, which knows no streams, gets every response at once', () => {
  const text = JSON.stringify(local.api);
  expect(text).not.toContain('response-streaming');
  expect(text).not.toContain('index.stream');
  expect(JSON.stringify(real.api)).toContain('index.stream');
});

test('the stage logs, traces and throttles, and logs nothing secret', () => {
  const stage = (ofType(real.api, 'AWS::ApiGateway::Stage')[0] as [string, Resource])[1].Properties;
  expect(stage).toMatchObject({
    TracingEnabled: true,
    MethodSettings: [
      { ThrottlingRateLimit: 1_000, ThrottlingBurstLimit: 2_000, DataTraceEnabled: false, HttpMethod: '*' },
    ],
  });
  const format: Record<string, string> = JSON.parse(stage.AccessLogSetting.Format);
  for (const variable of Object.values(format)) {
    expect(variable).toMatch(/^\$context\./);
    expect(variable).not.toMatch(/query|header|authorizer|identity\.(user|apiKey)|requestOverride/i);
  }
});

describe.each(all)('stacks of the $title', ({ made }) => {
  const { data, sockets, jobs, api } = made.stacks;

  test.each(['data', 'sockets', 'jobs', 'api'] as const)(
    '%s is below the limits of CloudFormation, with room',
    (name) => {
      expect(Object.keys(made[name]).length).toBeLessThan(450);
      const { templateFile } = made.stacks[name];
      expect(readFileSync(join(made.app.outdir, templateFile)).length).toBeLessThan(900_000);
    },
  );

  test('no resource for each function beside the function', () => {
    for (const resources of [made.api, made.jobs, made.sockets]) {
      expect(ofType(resources, 'AWS::Lambda::Permission')).toEqual([]);
      expect(ofType(resources, 'AWS::IAM::Policy')).toEqual([]);
    }
  });

  test('are deployed in their order, and none refers to another', () => {
    expect(data.dependencies).toEqual([]);
    expect(sockets.dependencies).toEqual([data]);
    expect(jobs.dependencies).toEqual([data, sockets]);
    expect(api.dependencies).toEqual([data, sockets, jobs]);
    for (const stack of [data, sockets, jobs, api]) {
      const text = readFileSync(join(made.app.outdir, stack.templateFile), 'utf8');
      expect(text).not.toMatch(/"Fn::ImportValue"|"Fn::GetStackOutput"/);
      for (const output of Object.values<object>(JSON.parse(text).Outputs ?? {}))
        expect(output).not.toHaveProperty('Export');
    }
  });

  test('hold what they are named for', () => {
    const places = {
      'AWS::DynamoDB::GlobalTable': 'data',
      'AWS::S3::Bucket': 'data',
      'AWS::SNS::Topic': 'data',
      'AWS::SQS::Queue': 'jobs',
      'AWS::Lambda::EventSourceMapping': 'jobs',
      'AWS::Scheduler::Schedule': 'jobs',
      'AWS::ApiGateway::RestApi': 'api',
      'AWS::ApiGatewayV2::Api': 'sockets',
    };
    for (const [type, place] of Object.entries(places)) {
      const holding = (['data', 'sockets', 'jobs', 'api'] as const).filter(
        (name) => ofType(made[name], type).length > 0,
      );
      expect(holding, type).toEqual([place]);
    }
  });
});

test('functions get the URLs of existing queues', () => {
  const queues = ofType(real.jobs, 'AWS::SQS::Queue').map(([, { Properties }]) => Properties.QueueName);
  const prefixes = [real.api, real.jobs]
    .flatMap((resources) => ofType(resources, 'AWS::Lambda::Function'))
    .flatMap(([, { Properties }]) => Properties.Environment.Variables.QUEUE_URL_PREFIX ?? []);
  expect(prefixes.length).toBeGreaterThan(10);
  for (const prefix of prefixes) {
    const { queue_urls } = readConfig({ QUEUE_URL_PREFIX: spelled(prefix) });
    for (const [name, queueUrl] of Object.entries(queue_urls)) {
      expect(queueUrl).toBe(
        `https://sqs.<AWS::Region>.<AWS::URLSuffix>/<AWS::AccountId>/WorkspaceApiJobs-prod-${name}`,
      );
      expect(queues).toContain(queueUrl?.split('/').at(-1));
    }
  }
});

test('sam local finds the code of every function', () => {
  for (const [id, { Metadata }] of [real.api, real.jobs, real.sockets].flatMap((resources) =>
    ofType(resources, 'AWS::Lambda::Function'),
  )) {
    expect(Metadata?.['aws:asset:property'], id).toBe('Code');
    expect(existsSync(join(real.app.outdir, Metadata?.['aws:asset:path'] as string, 'index.js'))).toBe(true);
  }
});

test('every function is for the processor that is asked for', () => {
  for (const [id, { Properties }] of [local.api, local.jobs, local.sockets].flatMap((resources) =>
    ofType(resources, 'AWS::Lambda::Function'),
  ))
    expect(Properties.Architectures, id).toEqual(['x86_64']);
});

test('sam local can point every function at local servers, and a deployment cannot', () => {
  const counterparts = {
    TABLE_NAME: 'DYNAMODB_ENDPOINT',
    BUCKET_NAME: 'S3_ENDPOINT',
    QUEUE_URL_PREFIX: 'SQS_ENDPOINT',
  };
  for (const [id, { Properties }] of [local.api, local.jobs, local.sockets].flatMap((resources) =>
    ofType(resources, 'AWS::Lambda::Function'),
  )) {
    const { Variables } = Properties.Environment;
    for (const [name, endpoint] of Object.entries(counterparts))
      expect(Variables[endpoint], id).toBe(name in Variables ? '' : undefined);
    expect(Variables.LOCAL_ENDPOINTS, id).toBe('true');
  }
  expect(JSON.stringify([real.api, real.jobs, real.sockets])).not.toMatch(
    /DYNAMODB_ENDPOINT|LOCAL_ENDPOINTS/,
  );
});

describe.each([AwsSolutionsChecks, ServerlessChecks])('cdk-nag, %o', (Checks) => {
  const found = (app: App, ignoring: object = {}) =>
    Object.assign(new Checks(app), ignoring).validateScope(app).violations;

  test('reports nothing', () => {
    for (const { app } of [real, large]) expect(found(app).map(({ ruleName }) => ruleName)).toEqual([]);
    const careless = new App({ outdir: real.app.outdir });
    new Queue(new Stack(careless, 'Careless'), 'Queue');
    expect(found(careless)).not.toEqual([]);
  });

  test('needs each explanation that is given', () => {
    const unexplained = found(real.app, { isAcknowledged: () => false }).map(({ ruleName }) => ruleName);
    const explained = real.app.node
      .findAll()
      .flatMap(({ node }) => node.metadata)
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries<string>(data))
      .map(([id, reason]) => ({ id: id.replace(/^annotation::/i, ''), reason }))
      .filter(({ id }) => id.startsWith(new Checks(real.app).readPackName));
    expect([...new Set(explained.map(({ id }) => id))].sort()).toEqual([...new Set(unexplained)].sort());
    for (const { id, reason } of explained) expect(reason.length, id).toBeGreaterThan(20);
  });
});
