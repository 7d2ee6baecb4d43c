import type { BuiltIn } from "../../CatalogEntry.ts";
import { defaults } from "../../Sandbox.ts";

export const cloud: ReadonlyArray<BuiltIn> = [
  {
    id: "aws-api",
    name: "AWS",
    description:
      "Runs AWS CLI commands against an AWS account and suggests the right ones. By AWS Labs; by default it allows only operations that read. Each agent has a process of its own, since it keeps working files.",
    category: "cloud",
    transport: "stdio",
    runtime: "pipx",
    verified: true,
    installInstructions:
      "1. Install pipx and Python 3.10 or newer on the host.\n2. In IAM, create a user for the agents with ReadOnlyAccess or narrower, and an access key for it. The policy is the real limit; some reading operations return secrets, so deny these.\n3. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; AWS_SESSION_TOKEN too for temporary credentials, which must be replaced before they expire.\nTo let agents change things, widen the policy and set READ_OPERATIONS_ONLY to false. AWS also offers a newer hosted server as its successor.",
    homepage: "https://github.com/awslabs/mcp",
    manifest: {
      package: "awslabs.aws-api-mcp-server",
      version: "1.5.6",
      integrity: null,
      lockedAt: "2026-11-22",
      command: "awslabs.aws-api-mcp-server",
      args: [],
      env: { AWS_API_MCP_TELEMETRY: "false" },
      isolation: "agent",
      state: false,
      sandbox: defaults,
    },
    envVars: [
      {
        name: "AWS_ACCESS_KEY_ID",
        description: "Access key id",
        required: true,
        secret: true,
        default: null,
      },
      {
        name: "AWS_SECRET_ACCESS_KEY",
        description: "Secret access key",
        required: true,
        secret: true,
        default: null,
      },
      {
        name: "AWS_SESSION_TOKEN",
        description: "Session token, for temporary credentials",
        required: false,
        secret: true,
        default: null,
      },
      {
        name: "AWS_REGION",
        description: "Region of commands that name none",
        required: false,
        secret: false,
        default: "us-east-1",
      },
      {
        name: "READ_OPERATIONS_ONLY",
        description: "false to allow operations that write",
        required: false,
        secret: false,
        default: "true",
      },
    ],
  },
  {
    id: "aws-knowledge",
    name: "AWS Knowledge",
    description:
      "Searches and reads AWS documentation, announcements, guides and the availability of services by region. AWS's own server, hosted by AWS.",
    category: "cloud",
    transport: "http",
    runtime: "none",
    verified: true,
    installInstructions:
      "Nothing runs on the host, and no account is needed. AWS limits the rate of requests. It knows nothing of your account: for that there is the entry aws-api.",
    homepage: "https://github.com/awslabs/mcp",
    manifest: { url: "https://knowledge-mcp.global.api.aws", headers: {} },
    envVars: [],
  },
  {
    id: "azure",
    name: "Azure",
    description:
      "Works with Azure resources: storage, databases, Key Vault, monitoring, Kubernetes, and many more. Microsoft's own server.",
    category: "cloud",
    transport: "stdio",
    runtime: "node",
    verified: true,
    installInstructions:
      "1. In Microsoft Entra ID, register an application and create a client secret for it.\n2. Give its service principal the role Reader, or what the agents need, on the subscription or resource group that they may use.\n3. Set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET. They may stay unset only on an Azure host with a managed identity.\nThe role is the limit: the server can change and delete. Its program is native, made for Linux, macOS and Windows on x64 and arm64. Client secrets expire: note the date.",
    homepage: "https://github.com/microsoft/mcp",
    manifest: {
      package: "@azure/mcp",
      version: "2.0.5",
      integrity:
        "sha512-o451hyeCa9u1jr1zYNi3OpF560IRH7LkHQHr7uOjWgaXNgF8m8aNbuxLdqs1PJcJEfrib4W8vVl0GY5X1fXtsw==",
      lockedAt: "2026-11-22",
      command: "azmcp",
      args: ["server", "start"],
      env: { AZURE_MCP_COLLECT_TELEMETRY: "false" },
      isolation: "shared",
      state: false,
      sandbox: { ...defaults, childProcesses: true },
    },
    envVars: [
      {
        name: "AZURE_TENANT_ID",
        description: "Directory (tenant) id",
        required: false,
        secret: false,
        default: null,
      },
      {
        name: "AZURE_CLIENT_ID",
        description: "Application (client) id",
        required: false,
        secret: false,
        default: null,
      },
      {
        name: "AZURE_CLIENT_SECRET",
        description: "Client secret of the application",
        required: false,
        secret: true,
        default: null,
      },
    ],
  },
  {
    id: "kubernetes",
    name: "Kubernetes",
    description:
      "Lists and shows pods, logs, events, Helm releases and any other resource of Kubernetes and OpenShift clusters. Red Hat's server, started read-only.",
    category: "cloud",
    transport: "stdio",
    runtime: "node",
    verified: true,
    installInstructions:
      "1. In the cluster, create a service account for the agents, bind it to a role such as view, and make a kubeconfig file with its token.\n2. Put the file where only the service can read it, and set KUBECONFIG to its absolute path. The file is the secret; its path is not.\nIt must have a current context, otherwise the server exits when it starts. Every context in the file can be used by agents: leave only the one meant. The program is native, made for Linux, macOS and Windows on x64 and arm64.",
    homepage: "https://github.com/containers/kubernetes-mcp-server",
    manifest: {
      package: "kubernetes-mcp-server",
      version: "0.0.67",
      integrity:
        "sha512-+pAaMnXnDueuiqm3nOWSVhBAY9/voqW6bjJajFdVmm9dwWUbszJIUjkHkFq6f4ULlOajifX+PfJLi6ltmZOEfw==",
      lockedAt: "2026-11-22",
      command: "kubernetes-mcp-server",
      args: ["--read-only"],
      env: {},
      isolation: "shared",
      state: false,
      sandbox: { ...defaults, read: ["${KUBECONFIG}"], childProcesses: true },
    },
    envVars: [
      {
        name: "KUBECONFIG",
        description: "Absolute path of a kubeconfig file with a current context",
        required: true,
        secret: false,
        default: null,
      },
    ],
  },
  {
    id: "cloudflare-docs",
    name: "Cloudflare documentation",
    description:
      "Searches Cloudflare's documentation: Workers, R2, DNS, Zero Trust and the rest. Cloudflare's own server, hosted by Cloudflare.",
    category: "cloud",
    transport: "sse",
    runtime: "none",
    verified: true,
    installInstructions:
      "Nothing runs on the host, and no account is needed. It knows nothing of your account and changes nothing.",
    homepage: "https://developers.cloudflare.com",
    manifest: { url: "https://docs.mcp.cloudflare.com/sse", headers: {} },
    envVars: [],
  },
];
