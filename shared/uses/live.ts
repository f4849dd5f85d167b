import { keys } from '#shared/table/keys.ts';
import type { Kind } from './kind.ts';
import { tableArn } from './table.ts';

/** Live updates: tickets that open sockets, and sending to those that are open. */
export const live = {
  modes: ['open', 'send'],
  grants: (modes, deployment) => [
    ...(modes.has('open')
      ? [
          {
            actions: ['dynamodb:PutItem'],
            resources: [tableArn(deployment)],
            conditions: {
              'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [keys.socketTicket('*').PK] },
              Null: { 'dynamodb:LeadingKeys': 'false' },
            },
          },
        ]
      : []),
    ...(modes.has('send')
      ? [
          {
            actions: ['execute-api:ManageConnections'],
            resources: ['POST', 'DELETE'].map((method) =>
              deployment.arn({
                service: 'execute-api',
                resource: deployment.socket_api,
                resourceName: `${deployment.stage}/${method}/@connections/*`,
              }),
            ),
          },
        ]
      : []),
  ],
  wildcards: { 'execute-api': 'The connections of one API: API Gateway names them as they open.' },
  variables: (_, { socket_url }) => ({ SOCKET_URL: socket_url }),
  endpoint: 'SOCKETS_ENDPOINT',
  libraries: {
    '@aws-sdk/client-apigatewaymanagementapi': { bytes: 30_000, reason: 'sends to open sockets' },
  },
} as const satisfies Kind;
