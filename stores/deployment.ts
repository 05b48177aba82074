/** Returns the namespace of a deployment's part of a store; no deployment has "--" in its name. */
export function inDeployment(name: string, deployment: string | undefined): string {
  return deployment === undefined ? name : `${deployment}--${name}`;
}
