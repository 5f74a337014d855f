from django.contrib import admin
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path
from django.views.generic import CreateView, DetailView, ListView

from notes.models import Note


class Notes(LoginRequiredMixin, ListView):
    queryset = Note.objects.order_by("-pk")[:10]


class NewNote(LoginRequiredMixin, CreateView):
    model = Note
    fields = ["title"]


class ShownNote(LoginRequiredMixin, DetailView):
    model = Note


urlpatterns = [
    path("", Notes.as_view(), name="notes"),
    path("notes/new/", NewNote.as_view(), name="new"),
    path("notes/<int:pk>/", ShownNote.as_view(), name="note"),
    path("login/", LoginView.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("admin/", admin.site.urls),
]
