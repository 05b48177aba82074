import type { ConnectionLike } from '@temporalio/client';

/** Its id; its name where the server does not say. */
export async function namespaceId(connection: ConnectionLike, namespace: string): Promise<string> {
  try {
    const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace });
    return namespaceInfo?.id || namespace;
  } catch {
    // Not everybody may ask; what is shared then is what has the same name.
    return namespace;
  }
}
