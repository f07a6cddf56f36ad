import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { apply } from "./app/preferences";
import { Shell } from "./app/shell";
import { WorldProvider } from "./app/world";
import "./ui/style.css";

apply();
createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <WorldProvider>
      <Shell />
    </WorldProvider>
  </StrictMode>,
);
